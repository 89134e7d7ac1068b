export * from './flow';
export * from './provenance';
export * from './trail';
