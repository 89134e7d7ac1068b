/** The page. The addresses of all its files are relative. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Deployment Assurance: API reference</title>
    <link rel="icon" type="image/png" href="favicon-32x32.png" />
    <link rel="stylesheet" href="swagger-ui.css" />
    <link rel="stylesheet" href="page.css" />
  </head>
  <body>
    <noscript>This page needs JavaScript. The document that it shows is <a href="../openapi.json">openapi.json</a>.</noscript>
    <div id="reference"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="initializer.js"></script>
  </body>
</html>
`;

export const STYLE = `body { margin: 0; background: #fafafa; }
`;

/** Shows the document with the servers as the browser sees them, so that "Try it out" works under any host name and path. */
export const INITIALIZER = `const api = new URL('..', location.href);
const root = new URL('../..', api);
const plain = (url) => url.href.replace(/\\/$/, '');

async function show() {
  const spec = await (await fetch(new URL('openapi.json', api))).json();
  spec.servers = [{ ...spec.servers[0], url: plain(api) }];
  for (const item of Object.values(spec.paths)) if (item.servers) item.servers = [{ url: plain(root) }];
  window.ui = SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
  });
}

show().catch((fault) => {
  document.querySelector('#reference').textContent = 'The reference could not be shown: ' + fault.message;
});
`;
