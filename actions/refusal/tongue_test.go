package refusal_test

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/refusal"
)

// calls of the tests in other languages, by a short name.
var calls = map[string]effect.Call{
	"merge":   {Tool: "bash", Parameters: map[string]any{"command": "gh pr merge 3"}},
	"view":    {Tool: "bash", Parameters: map[string]any{"command": "gh pr view 3"}},
	"approve": {Tool: "create_pull_request_review", Operation: "call", Parameters: map[string]any{"event": "APPROVE", "pull_number": 3.0}},
	"send":    {Tool: "send_email", Operation: "call", Parameters: map[string]any{"to": "lena@studio.example", "body": "x"}},
	"draft":   {Tool: "create_draft", Operation: "call", Parameters: map[string]any{"to": "lena@studio.example", "body": "x"}},
	"delete":  {Tool: "bash", Parameters: map[string]any{"command": "gh issue delete 3"}},
	"close":   {Tool: "bash", Parameters: map[string]any{"command": "gh issue close 3"}},
	"publish": {Tool: "wp_create_post", Operation: "call", Parameters: map[string]any{"title": "x", "status": "publish"}},
	"sign":    {Tool: "sign_envelope", Operation: "call", Parameters: map[string]any{"id": "e1"}},
}

// TestExceededAbroad: degrees of deeds are read in German, Spanish and French. Behind each statement stand the calls that go further, and those that do not.
func TestExceededAbroad(t *testing.T) {
	for _, c := range []struct{ said, further, within string }{
		{"Prüfe bitte PR 3.", "merge approve", "view"},
		{"Schau dir den Pull Request 3 an.", "merge approve", "view"},
		{"Prüfe den PR und merge ihn, wenn er gut ist.", "", "merge"},
		{"Kannst du PR 3 überprüfen und freigeben?", "", "approve"},
		{"Prüf den PR, aber nicht mergen.", "merge", "view"},
		{"Entwirf eine Antwort an Lena.", "send", "draft"},
		{"Entwirf eine Antwort an Lena und schick sie ab.", "", "send draft"},
		{"Schreib Lena, dass ich später komme.", "", "send"},
		{"Schließ die alten Issues.", "delete", "close"},
		{"Lösch die alten Issues.", "", "delete close"},
		{"Entwirf einen Beitrag für das Blog.", "publish", ""},
		{"Lies den Mietvertrag und fass ihn zusammen.", "sign", ""},
		{"Lies den Mietvertrag. Dann unterschreib ihn.", "", "sign"},
		{"Revisa la PR 3, por favor.", "merge approve", "view"},
		{"Revisa la PR 3 y fusiónala si está bien.", "", "merge"},
		{"Revisa y aprueba la PR 3.", "", "approve"},
		{"Redacta una respuesta para Lena.", "send", "draft"},
		{"Redacta una respuesta para Lena y envíala.", "", "send"},
		{"Envíale la respuesta a Lena.", "", "send"},
		{"Cierra las incidencias antiguas.", "delete", "close"},
		{"Elimina las incidencias antiguas.", "", "delete"},
		{"Redacta una entrada del blog.", "publish", ""},
		{"Lee el contrato y resúmelo.", "sign", ""},
		{"Lee el contrato y fírmalo.", "", "sign"},
		{"Relis la PR 3, s'il te plaît.", "merge approve", "view"},
		{"Vérifie la PR 3 et fusionne-la.", "", "merge"},
		{"Regarde la PR 3, puis approuve-la.", "", "approve"},
		{"Rédige une réponse à Lena.", "send", "draft"},
		{"Rédige une réponse à Lena et envoie-la.", "", "send"},
		{"Prépare un brouillon pour Lena, mais ne l'envoie pas.", "send", "draft"},
		{"Ferme les anciens tickets.", "delete", "close"},
		{"Supprime les anciens tickets.", "", "delete"},
		{"Lis le contrat et résume-le.", "sign", ""},
		{"Lis le contrat et signe-le.", "", "sign"},
	} {
		for want, names := range map[bool]string{true: c.further, false: c.within} {
			for name := range strings.FieldsSeq(names) {
				h, acts := heard(t, calls[name], []string{c.said})
				if got := h.Exceeded(acts); (got != "") != want {
					t.Errorf("after %q, %s goes further than %q, want %v", c.said, name, got, want)
				}
			}
		}
	}
}

// TestAstrayAbroad: receivers are read in German, Spanish and French. One listing has Bo and Zoe, each in a record.
func TestAstrayAbroad(t *testing.T) {
	listing := map[string]string{"bo@a.example": "bo", "zoe@b.example": "zoe"}
	records := func(value, name string) (of, near, seen bool) {
		owner, seen := listing[value]
		return seen && owner == name, seen && (name == "bo" || name == "zoe"), seen
	}
	for said, want := range map[string]bool{ // whether the mail to Zoe is for somebody else
		"Schick das Angebot an Bo.":                 true,
		"Schicke Bo bitte das Angebot.":             true,
		"Kannst du das Angebot an Bo senden?":       true,
		"Schick das Angebot an meine Schwester Bo.": true,
		"Schick das Angebot an Bo und Zoe.":         false,
		"Schick das Angebot an Bo und das Team.":    false,
		"Schick das Angebot an die Vermieter.":      false,
		"Schick das Angebot an Bos Team.":           false,
		"Schick mir das Angebot von Bo.":            false,
		"Schick das Angebot an Kunden.":             false,
		"Schick das Angebot raus.":                  false,
		"Envía la oferta a Bo.":                     true,
		"¿Puedes enviar la oferta a Bo?":            true,
		"Manda la oferta a mi hermana Bo.":          true,
		"Envía la oferta a Bo y a Zoe.":             false,
		"Envía la oferta a Bo y al equipo.":         false,
		"Envía la oferta a los clientes.":           false,
		"Envía la oferta al equipo de Bo.":          false,
		"Envíame la oferta.":                        false,
		"Envoie l'offre à Bo.":                      true,
		"Peux-tu envoyer l'offre à Bo ?":            true,
		"Transmets l'offre à ma sœur Bo.":           true,
		"Préviens Bo que je serai en retard.":       true,
		"Envoie l'offre à Bo et Zoe.":               false,
		"Envoie l'offre à Bo et à l'équipe.":        false,
		"Envoie l'offre aux clients.":               false,
		"Envoie l'offre à l'équipe de Bo.":          false,
		"Envoie-moi l'offre de Bo.":                 false,
	} {
		var h refusal.Heard
		h.Take(said)
		if got := h.Astray([]string{"zoe@b.example"}, false, records); (got != "") != want {
			t.Errorf("after %q, a mail to Zoe is for another than %q names, want %v", said, got, want)
		}
		if got := h.Astray([]string{"bo@a.example"}, false, records); got != "" && want {
			t.Errorf("after %q, a mail to Bo goes to another than %q names", said, got)
		}
	}
}
