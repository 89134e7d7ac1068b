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
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #59606e; }
.swagger-ui a.link, .swagger-ui .info a { color: #1f5fae; }
.swagger-ui .opblock .opblock-summary-method { color: #111; text-shadow: none; }
.swagger-ui .btn.authorize { color: #1d6b45; }
.swagger-ui .parameter__in, .swagger-ui .prop-format { color: #555; }
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

const REGIONS = [
  ['.information-container', 'About'],
  ['.scheme-container', 'Server and key'],
  ['.filter', 'Filter'],
];

/** Adds what readers of screens need and the library leaves out: levels of headings, regions, a label, and rows that are one button. */
function complete() {
  // No heading has the second level, so that each of the others is one level too deep.
  for (const heading of document.querySelectorAll(':is(h3, h4, h5, h6):not([aria-level])')) {
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', heading.localName[1] - 1);
  }
  for (const [name, label] of REGIONS) {
    const region = document.querySelector(name);
    region?.setAttribute('role', 'region');
    region?.setAttribute('aria-label', label);
  }
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
  document.querySelector('#servers')?.setAttribute('aria-label', 'Server');
}
new MutationObserver(complete).observe(document.querySelector('#reference'), { childList: true, subtree: true });

show().catch((fault) => {
  document.querySelector('#reference').textContent = 'The reference could not be shown: ' + fault.message;
});
`;
