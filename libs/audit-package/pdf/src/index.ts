export type * from './report';
