// Asks the service at $SERVICE whether it is ready, for $SECONDS. Ends with 1 and the reason if it is not.
const until = performance.now() + Number(process.env.SECONDS) * 1_000;
let why;
do {
  try {
    const answer = await fetch(`${process.env.SERVICE}/ready`, { signal: AbortSignal.timeout(5_000) });
    why = `/ready answers ${answer.status}: ${await answer.text()}`;
    if (answer.ok) {
      console.log(why);
      process.exit(0);
    }
  } catch (fault) {
    why = `${process.env.SERVICE} does not answer: ${fault.cause?.message ?? fault.message}`;
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
} while (performance.now() < until);
console.error(why);
process.exit(1);
