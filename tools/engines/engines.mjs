import { stop } from './fetch.mjs';
import { kafka, kafkaCluster, securedKafka } from './kafka.mjs';
import { mongodb, securedMongodb } from './mongodb.mjs';
import { s3 } from './s3.mjs';

/** The real engines, run as processes without containers. */
export const ENGINES = {
  mongodb,
  kafka,
  'mongodb-secured': securedMongodb,
  'kafka-secured': securedKafka,
  'kafka-cluster': kafkaCluster,
  s3,
};

/** Finds an engine by its name. */
export function engineOf(name) {
  if (!Object.hasOwn(ENGINES, name)) stop(`Which engine? ${Object.keys(ENGINES).join(' or ')}`);
  return ENGINES[name];
}
