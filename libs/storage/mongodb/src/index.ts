export { openMongo } from './open-mongo';
export type { MongoEngines, MongoOptions } from './open-mongo';
