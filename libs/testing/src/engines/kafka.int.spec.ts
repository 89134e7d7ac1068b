import { Kafka, logLevel } from 'kafkajs';
import { freshKafka } from './kafka';

it('hands every spec brokers that keep what is sent, and names of its own', async () => {
  const { brokers, prefix } = freshKafka();
  expect(freshKafka().prefix).not.toBe(prefix);
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  const [admin, producer] = [kafka.admin(), kafka.producer({ idempotent: true, maxInFlightRequests: 1 })];
  try {
    await Promise.all([admin.connect(), producer.connect()]);
    const topic = `${prefix}-written`;
    await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }], waitForLeaders: true });
    await producer.send({ topic, acks: -1, messages: [{ key: 'a', value: '1' }] });
    expect(await admin.fetchTopicOffsets(topic)).toMatchObject([{ partition: 0, high: '1' }]);
    await admin.deleteTopics({ topics: [topic] });
  } finally {
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  }
});
