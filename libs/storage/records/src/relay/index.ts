export * from './courier';
export * from './relay';
