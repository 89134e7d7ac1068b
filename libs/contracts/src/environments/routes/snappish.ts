import { required } from '../../http/params';
import { text } from '../../http/shape';

/** A required parameter: an environment with a snapshot expression. */
export const snappish = (description: string) => required(text(description, { min: 1 }));
