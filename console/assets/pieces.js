// nodes makes the pieces of a stored text into nodes: text as it is, an invisible character by its code point, the place of a secret marked.
export function nodes(pieces) {
  return (pieces ?? []).map((piece) => {
    if (!piece.hidden && !piece.secret) return document.createTextNode(piece.text);
    const sign = document.createElement(piece.hidden ? "span" : "mark");
    sign.className = piece.hidden ? "hidden" : "secret";
    if (piece.hidden) sign.title = "a character that is not seen";
    sign.textContent = piece.text;
    return sign;
  });
}
