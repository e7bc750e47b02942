// An authorization server for tests: oidc-provider on a free port of this machine, which it prints. What a test does to it goes through /test/:
// rotate takes another signing key, down and up switch it off and on. Its clients and resources are in testdata/oauth/README.md.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const modules = createRequire(`${process.env.OAUTH_MODULES}/`);
const { default: Provider } = await import(pathToFileURL(modules.resolve('oidc-provider')));

const signingKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256',
});

// The claims of a client, in whose name the token is, or of a person.
const account = (sub) => ({ tenant: sub === 'stray' ? undefined : 'acme', roles: sub === 'hal' ? ['ctx-harness'] : ['dev'] });

// The page on which a person signs in: by name alone.
const page = `<!doctype html><title>Sign in</title><form method="post"><input id="name" name="name" autofocus>
<button id="in">Sign in</button><button name="no" value="1">No</button></form>`;

// interact shows the page, and takes its answer.
async function interact(request, response) {
  if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(page);
  let text = '';
  for await (const part of request) text += part;
  const form = new URLSearchParams(text);
  // A program on a user's machine is consented to at each sign-in (RFC 8252, section 8.6), which the name stands for too.
  const result = form.has('no') ? { error: 'access_denied' } : { login: { accountId: form.get('name') }, consent: {} };
  return provider.interactionFinished(request, response, result);
}

const configuration = (key) => ({
  jwks: { keys: [key] },
  cookies: { keys: ['of the tests'] },
  scopes: ['openid'],
  clientAuthMethods: ['client_secret_basic', 'none'],
  clients: [
    { client_id: 'robot', client_secret: 'robot secret', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    { client_id: 'hal', client_secret: 'hal secret', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    { client_id: 'ctx', client_secret: 'ctx secret: %&+', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    {
      client_id: 'pages', client_secret: 'pages secret: %&+', grant_types: ['authorization_code'], response_types: ['code'],
      redirect_uris: [process.env.RETURN ?? 'https://ctx.example.org/ui/signin/back'],
    },
  ],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: (_, client) => client.clientId === 'ctx' },
    revocation: { enabled: true },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        scope: process.env.SCOPES, audience: resource.replace(/^opaque:/, ''), accessTokenTTL: 3600,
        accessTokenFormat: resource.startsWith('opaque:') || process.env.FORMAT === 'opaque' ? 'opaque' : 'jwt',
      }),
    },
  },
  issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
  extraTokenClaims: (_, token) => account(token.accountId ?? token.clientId),
  formats: { customizers: { jwt: (_, token, parts) => { parts.payload.nbf = parts.payload.iat; } } },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...account(sub) }) }),
  claims: { openid: ['sub', 'tenant', 'roles'] },
  conformIdTokenClaims: process.env.CLAIMS_IN === 'userinfo',
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  loadExistingGrant: async (ctx) => {
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope('openid');
    const { resource, scope } = ctx.oidc.params;
    if (resource && scope) grant.addResourceScope(resource, scope);
    await grant.save();
    return grant;
  },
});

let provider;
let down = false;
const server = createServer((request, response) => {
  const [, test, what] = request.url.split('/');
  if (test === 'test') {
    if (what === 'rotate') begin();
    else down = what === 'down';
    response.end('ok\n');
  } else if (down) {
    response.writeHead(502).end('down\n');
  } else if (test === 'interaction') {
    interact(request, response).catch((error) => response.writeHead(500).end(`${error}\n`));
  } else {
    provider.callback()(request, response);
  }
});

const address = () => `http://${process.env.NAMED ?? '127.0.0.1'}:${server.address().port}`;

function begin() {
  provider = new Provider(address(), configuration(signingKey()));
  provider.on('server_error', (_, error) => console.error(error));
}

server.listen(0, '127.0.0.1', () => {
  begin();
  console.log(address());
});
