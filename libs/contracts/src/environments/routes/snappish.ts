import { type Param, text } from '../../http/params';

/** A required parameter: an environment with a snapshot expression. */
export function snappish(description: string): Param<string> {
  const param = text(description, 'refused');
  return {
    ...param,
    required: true,
    read(texts) {
      const read = param.read(texts);
      if ('problem' in read) return read;
      return read.value === undefined ? { problem: 'Field required' } : { value: read.value };
    },
  };
}
