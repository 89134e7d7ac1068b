// Of Jest's project `scaled`, before each of its specs: the shapes are those on MongoDB and Kafka.
process.env['ASSURANCE_TEST_SHAPE'] = 'scaled';
