export * from './change-source';
export * from './relay';
