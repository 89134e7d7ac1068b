import { setFlagsFromString } from 'node:v8';

// Imported first by every main. While modules load, most of what is new stays, for which V8 gives it more and more room: 32 MB in the end, which a
// service that then does nothing holds for about a minute. `run` lets it grow again once the process serves.
setFlagsFromString('--semi-space-growth-factor=1');
