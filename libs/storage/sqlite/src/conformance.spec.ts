import { blobsSuite, documentsSuite, eventStoreSuite, feedSuite } from '@assurance/testing-suites';
import { openTemporary } from './testing/open-temporary';

eventStoreSuite(openTemporary);
feedSuite(openTemporary);
documentsSuite(openTemporary);
blobsSuite(openTemporary);
