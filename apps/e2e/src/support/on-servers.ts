// Of Jest's project `scaled`, before each of its specs: the deployments are those on MongoDB and Kafka.
process.env['ASSURANCE_TEST_DEPLOYMENT'] = 'scaled';
