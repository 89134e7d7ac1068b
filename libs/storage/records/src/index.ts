export * from './sealing';
export * from './archive';
export * from './checkpoints';
export * from './erasures';
export * from './relay';
