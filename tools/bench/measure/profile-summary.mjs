/** V8's names of time outside of functions. */
const IDLE = '(idle)';
/** Everything below this function of Node loads modules and counts as one function. */
const LOADING = { called: 'wrapModuleLoad', as: '(loading modules)' };

/**
 * Sums a profile: the busy time of the thread, and the self time of each package and function. Built-in functions without a file count to the package
 * that called them. Everything that runs while modules load counts as loading.
 */
export function summary({ nodes, samples, timeDeltas }) {
  const micros = new Map();
  samples.forEach((id, i) => micros.set(id, (micros.get(id) ?? 0) + timeDeltas[i]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [packages, functions] = [new Map(), new Map()];
  let busy = 0;
  for (const { id, callFrame } of nodes) {
    const ms = (micros.get(id) ?? 0) / 1000;
    if (ms === 0 || callFrame.functionName === IDLE) continue;
    busy += ms;
    const stack = [];
    for (let at = id; at !== undefined; at = parents.get(at)) stack.push(byId.get(at).callFrame);
    if (stack.some(({ functionName }) => functionName === LOADING.called)) {
      add(packages, LOADING.as, ms);
      continue;
    }
    // V8's own work, such as garbage collection, has no caller with a file.
    const caller = stack.find(({ url }) => url !== '');
    const owner = caller === undefined ? callFrame.functionName : packageOf(caller.url);
    const called = callFrame.functionName === '' ? `line ${callFrame.lineNumber + 1}` : callFrame.functionName;
    add(packages, owner, ms);
    add(functions, called === owner ? called : `${owner}: ${called}`, ms);
  }
  return { script: scriptOf(nodes), busy, packages: descending(packages), functions: descending(functions) };
}

/** The package that a file belongs to. */
function packageOf(url) {
  if (url.startsWith('node:')) return 'node';
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url);
  if (installed !== null) return installed[1];
  return /\/((?:libs|apps|tools)\/.+?)\/(?:dist|src)\//.exec(url)?.[1] ?? url.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '');
}

/** The first file of the project on the thread's stack, which tells what the thread is. */
function scriptOf(nodes) {
  const files = nodes.map(({ callFrame }) => callFrame.url).filter((url) => /\/(?:libs|apps|tools)\//.test(url));
  const main = files.find((url) => /\/(?:apps\/[^/]+\/dist\/main\.js|tools\/bench\/[^/]+\/[^/]+\.mjs)$/.test(url));
  return (main ?? files[0] ?? 'unknown').replace(/^.*\/(?=(?:libs|apps|tools)\/)/, '');
}

function add(sums, name, ms) {
  sums.set(name, (sums.get(name) ?? 0) + ms);
}

function descending(sums) {
  return [...sums].sort((a, b) => b[1] - a[1]);
}
