import type { FieldErrors } from '@assurance/contracts/http/params';
import { routes } from '@assurance/contracts/http/routes/routes';
import { parseJson } from './body';
import { errorsBelow } from './errors-below';
import { RefusalError } from './refusals';

/** The most characters of a text of JSON, because the main thread parses it. */
const JSON_TEXT_MAX = 1_048_576;

/**
 * The value of a field that may be sent as JSON in a text, as forms do. A text stays a text unless it begins like an
 * object or a list.
 *
 * @param field its path, for errors
 * @throws RefusalError for a text that begins like an object or a list and is too long or malformed
 */
export function fromJsonText(value: unknown, field: string): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  if (value.length > JSON_TEXT_MAX) {
    refuse({ [field]: `JSON in a text has at most ${JSON_TEXT_MAX} characters. Send it as JSON, without quotes` });
  }
  try {
    return parseJson(value, '', routes.attestCustom);
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.kind === 'invalid') {
      refuse(errorsBelow(field, error.refusal.errors));
    }
    throw error;
  }
}

function refuse(errors: FieldErrors): never {
  throw new RefusalError({ kind: 'invalid', errors });
}
