export * from './keys';
export * from './manager';
export * from './membership';
export * from './name';
export * from './organization';
export * from './service-account';
export * from './user';
