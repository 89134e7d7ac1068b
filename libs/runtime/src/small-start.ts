import { setFlagsFromString } from 'node:v8';

// Every main imports this first. While modules load, most new objects survive, so V8 grows the young generation up to 32 MB. A service
// that is idle after that keeps this memory for about a minute. `run` lets the young generation grow again once the process serves.
setFlagsFromString('--semi-space-growth-factor=1');

// The command line option has set the size of the main thread's young generation by now. If it stays set, it overrides the
// `resourceLimits` of worker threads.
setFlagsFromString('--max-semi-space-size=0');
