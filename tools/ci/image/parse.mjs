/**
 * Reads the stages of a Dockerfile, each with its steps in order.
 *
 * @returns {{step: string, text: string}[][]}
 */
export function stagesOf(dockerfile) {
  const stages = [];
  for (const line of dockerfile.replace(/\\\n\s*/g, '').split('\n')) {
    const [, step, text] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (step === 'FROM') stages.push([]);
    if (step !== undefined) stages.at(-1).push({ step, text });
  }
  return stages;
}
