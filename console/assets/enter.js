// The secret stands in the fragment of the address, which no server log sees. It is given once, and leaves the address.
const secret = location.hash.slice(1);
if (secret) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("secret").value = secret;
  document.getElementById("enter").submit();
}
