import { blobsSuite, documentsSuite, eventStoreSuite, feedSuite } from '@assurance/storage-conformance';
import { openTemporary } from './testing/open-temporary';

eventStoreSuite(openTemporary);
feedSuite(openTemporary);
documentsSuite(openTemporary);
blobsSuite(openTemporary);
