import { setFlagsFromString } from 'node:v8';

// Imported first by every main. While modules load, most new objects survive, so V8 grows the young generation up to 32 MB, and a service that then
// does nothing keeps these for about a minute. `run` lets it grow again once the process serves.
setFlagsFromString('--semi-space-growth-factor=1');

// The option of the command line sizes the young generation of the main thread, which exists by now. Where it stays set, it overrides the
// `resourceLimits` of worker threads.
setFlagsFromString('--max-semi-space-size=0');
