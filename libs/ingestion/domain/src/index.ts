export * from './access/declare';
export * from './environment/collect';
export * from './environment/difference';
export * from './environment/put';
export * from './environment/report';
export * from './flow/put';
export * from './repo/record';
export * from './trail/report-artifact';
