export * from './open-kafka';
