package taint

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestForeignRefusals: a refusal in another language is held against the act that it names, and its twin that refuses nothing is not.
func TestForeignRefusals(t *testing.T) {
	for _, test := range []struct {
		verb, object     string
		refused, allowed []string
	}{
		{"delete", "main", []string{
			"Nein, lösche das bitte nicht.", "Lösche old-ui, aber nicht main.", "Bitte nicht löschen!", "Lass main in Ruhe.", "Stopp!",
			"No, no lo borres.", "Borra old-ui, pero no main.", "Deja main en paz.", "Basta.",
			"Non, ne le supprime pas.", "Supprime old-ui, mais pas main.", "Laisse main tranquille.", "Arrête tout !",
			"No, non cancellare niente.", "Cancella old-ui, ma non main.", "Lascia main in pace.", "Fermati.",
			"Não apague isso.", "Apague old-ui, mas não main.", "Deixe main em paz.", "Pare agora.",
			"Nee, verwijder dat niet.", "Laat main met rust.", "Hou op.",
			"Nie usuwaj tego.", "Usuń old-ui, ale nie main.", "Zostaw main w spokoju.", "Przestań.",
			"Нет, не удаляй это.", "Удали old-ui, но не main.", "Оставь main в покое.", "Стоп.",
			"不要删除那个。", "别碰main。", "停止。",
			"それは削除しないでください。", "mainに触らないで。", "止めてください。",
		}, []string{
			"Lösche den Branch main, der nicht mehr gebraucht wird.", "Vergiss nicht, main zu löschen.", "Warum wurde main nicht gelöscht?", "Lösche main. Der Stopp der Pipeline war geplant.",
			"Borra la rama main que no está fusionada.", "No olvides borrar main.", "¿Por qué no se borró main?", "Borra main para siempre.",
			"Supprime la branche main qui ne sert pas.", "N'oublie pas de supprimer main.", "Pourquoi main n'est pas supprimé ?",
			"Cancella il ramo main che nessuno usa.", "Non dimenticare di cancellare main.",
			"Apague o ramo main que ninguém usa, não é urgente.", "Não esqueças de apagar main.",
			"Verwijder de branch main die we al lang niet meer gebruiken.", "Vergeet niet main te verwijderen.",
			"Usuń gałąź main, której nikt nie używa.", "Nie zapomnij usunąć main.",
			"Удали ветку main, которая больше никому не нужна.", "Не забудь удалить main.",
			"删除main分支。", "不要忘记删除main。",
			"mainブランチを削除してください。", "mainを削除するのを忘れないでください。",
		}},
		{"push", "main", []string{
			"Behebe den Fehler, aber nicht pushen.", "Corrige el fallo y no hagas push.", "Corrige l'erreur sans push, ne pousse pas.", "Não faça push.", "Niet pushen.", "Исправь ошибку, но не пушь.",
			"修复错误，但不要推送。", "バグを直して、プッシュしないで。",
		}, []string{"Behebe den Fehler und pushe.", "Corrige el fallo y haz push.", "修复错误并推送。"}},
	} {
		words := language.EffectRequests.Row("destroy").By(language.LightStem)
		if test.verb == "push" {
			words = nil
		}
		tell := func(said string, want bool) {
			h := newHeard()
			h.take(said, 0)
			p := Provenance{heard: h}
			if got := p.Refused(words, []string{test.verb}, []string{test.object}); got != want {
				t.Errorf("after %q, to %s %s is refused: %t, want %t (%+v)", said, test.verb, test.object, got, want, h.refused)
			}
		}
		for _, said := range test.refused {
			tell(said, true)
		}
		for _, said := range test.allowed {
			tell(said, false)
		}
	}
}

// TestForeignLifted: a later order lifts a refusal, and a refusal of one object is none of another.
func TestForeignLifted(t *testing.T) {
	h := newHeard()
	h.take("Lösche main nicht.", 0)
	p := Provenance{heard: h}
	if p.Refused(nil, []string{"delete"}, []string{"old-ui"}) || !p.Refused(nil, []string{"delete"}, []string{"main"}) {
		t.Error("a refusal of one object is of another")
	}
	p.heard.take("Gut, jetzt lösche main.", 1)
	if p.Refused(nil, []string{"delete"}, []string{"main"}) {
		t.Error("a later order does not lift a refusal")
	}
}
