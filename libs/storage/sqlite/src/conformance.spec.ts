import { blobsSuite } from '@assurance/testing/conformance/blobs';
import { documentsSuite } from '@assurance/testing/conformance/documents';
import { eventStoreSuite } from '@assurance/testing/conformance/event-store';
import { feedSuite } from '@assurance/testing/conformance/feed';
import { openTemporary } from './testing/open-temporary';

eventStoreSuite(openTemporary);
feedSuite(openTemporary);
documentsSuite(openTemporary);
blobsSuite(openTemporary);
