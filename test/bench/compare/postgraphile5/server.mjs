// Serves the tables of DATABASE_URL with PostGraphile 5 on PORT of loopback, with WORKERS processes that have CONNECTIONS connections each.
import cluster from "node:cluster";
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const preset = {
  extends: [PostGraphileAmberPreset],
  // Lists are smaller than connections, which only the total needs. The index of (workspace_id, created_at) orders a workspace's documents,
  // although created_at is not its first column.
  schema: { defaultBehavior: "list connection orderBy filterBy -insert -update -delete" },
  grafast: { explain: false },
  grafserv: { graphiql: false, watch: false, websockets: false },
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ["public"],
      poolConfig: { max: Number(process.env.CONNECTIONS) },
    }),
  ],
};

if (cluster.isPrimary) {
  for (let i = 0; i < Number(process.env.WORKERS); i++) cluster.fork();
  // A worker that ends is an error of the measurement, so the others end too.
  cluster.on("exit", () => process.exit(1));
} else {
  const server = createServer();
  await postgraphile(preset).createServ(grafserv).addTo(server);
  server.listen(Number(process.env.PORT), "127.0.0.1");
}
