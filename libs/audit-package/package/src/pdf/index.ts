export type * from './report';
export { writeReport } from './write';
