// Compares the OpenAPI document with the table of the public interface. Differences are allowed where docs/reference/compatibility.md has them,
// with the statement that forces each.
//   npm run check:interface        exit code 1 on any other difference, and on one that is gone
import { openApiDocument } from '@assurance/contracts/http/openapi';
import { documentDifferences, type OpenApiDocument } from '@assurance/testing/interface/documented';
import { exceptionsIn } from '@assurance/testing/interface/exceptions';
import { read } from '../common/root.ts';
import { list } from './report.ts';

const page = 'docs/reference/compatibility.md';
const { allows, unused } = exceptionsIn(read(page));
const document = openApiDocument({ publicUrl: 'http://localhost:8001', region: null }) as unknown as OpenApiDocument;

const problems = [
  ...documentDifferences(document)
    .filter((difference) => !allows(difference))
    .map(({ operation, what }) => `${operation}: ${what}`),
  ...unused().map((row) => `${page} excuses what is no difference: ${row}`),
];
list(problems, 'of the public interface');
