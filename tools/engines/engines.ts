import { stop } from '../common/command.ts';
import { kafka, kafkaCluster, securedKafka } from './kafka.ts';
import { mongodb, mongodbSet, securedMongodb } from './mongodb.ts';
import { s3 } from './s3.ts';

export interface EngineOptions {
  /** Whether it runs for minutes and is not measured. */
  readonly brief?: boolean;
}

/** A program with its arguments. */
export type Command = readonly string[];

/** How to install and run a server of an engine, without containers. */
export interface Engine {
  /** Installs it where it is not there yet, and returns its path. */
  install(): string;
  /** Prepares a server that keeps its data in a folder. Returns the command of each of its processes, which has the port of the same place. */
  commands(
    folder: string,
    ports: readonly number[],
    options?: EngineOptions,
  ): readonly Command[] | Promise<readonly Command[]>;
  /** How many ports it needs. */
  readonly ports: number;
  url(ports: readonly number[], folder: string): string;
  /** Settings of the service beside its URL. */
  settings(ports: readonly number[], folder: string): Readonly<Record<string, string>>;
  /** Whether it answers requests; an error counts as no. */
  ready(ports: readonly number[], folder: string): Promise<boolean>;
}

/** The real engines. */
const ENGINES: Readonly<Record<string, Engine>> = {
  mongodb,
  kafka,
  'mongodb-set': mongodbSet,
  'mongodb-secured': securedMongodb,
  'kafka-secured': securedKafka,
  'kafka-cluster': kafkaCluster,
  s3,
};

/** Finds an engine by its name. */
export function engineOf(name = ''): Engine {
  return ENGINES[name] ?? stop(`Which engine? ${Object.keys(ENGINES).join(' or ')}`);
}
