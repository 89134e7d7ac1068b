import { type FunctionConfiguration, type LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { acceptsName, type NameFilter } from './name-filter';
import { sortByText, type Report, secondsOf, type Source } from './report';

/** Reports the functions by name, each with the digest of its package or image. */
function functionsReport(functions: readonly FunctionConfiguration[]): Report {
  return { artifacts: sortByText(functions, ({ FunctionName }) => FunctionName ?? '').map(itemOf) };
}

function itemOf({ FunctionName: name = '', CodeSha256, LastModified, PackageType }: FunctionConfiguration) {
  // For a package the digest is base64; for an image it is hexadecimal.
  const digest = PackageType === 'Image' ? CodeSha256 : Buffer.from(CodeSha256 ?? '', 'base64').toString('hex');
  if (digest === undefined || !/^[0-9a-f]{64}$/.test(digest))
    throw new Error(`Lambda lists ${name} without a SHA-256.`);
  // `2026-11-02T10:00:00.000+0000`
  const modified = LastModified?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  return { digests: { [name]: digest }, creationTimestamp: secondsOf(modified) };
}

/** The source of all functions of an account in one region. */
export function lambdaSource(client: LambdaClient, functions: NameFilter): Source {
  return {
    async collect() {
      const functionConfigurations: FunctionConfiguration[] = [];
      for await (const page of paginateListFunctions({ client }, {}))
        functionConfigurations.push(...(page.Functions ?? []));
      return functionsReport(
        functionConfigurations.filter(({ FunctionName }) => acceptsName(functions, FunctionName ?? '')),
      );
    },
  };
}
