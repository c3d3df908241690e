// What both clients share: where the gateway is, what they ask it, and how they tell what they heard.
const { GRAPHQL_URL: url, GRAPHQL_KEY: key, JOB: job, AFTER } = process.env;
const after = AFTER === undefined ? undefined : Number(AFTER);

const query = `subscription Follow($job: ID!, $after: Int) {
  jobProgress(jobId: $job, after: $after) { position kind jobId state { status progress } }
}`;

function request(behind) {
  return { query, variables: { job, after: behind } };
}

function print(answer) {
  if (answer.errors) {
    throw new Error(JSON.stringify(answer.errors));
  }
  const { jobId: id, state, ...step } = answer.data.jobProgress;
  const event = { ...step, job: { id, ...state } };
  console.log(JSON.stringify(event));
  return event;
}

export { after, key, print, request, url };
