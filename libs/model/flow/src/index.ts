export * from './compliance';
export * from './flow';
export * from './provenance';
export * from './trail';
