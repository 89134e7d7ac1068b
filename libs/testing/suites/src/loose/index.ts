export * from './loosen';
export * from './steps';
