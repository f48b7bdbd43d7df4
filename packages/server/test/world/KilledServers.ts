import { fileURLToPath } from "node:url"
import { programArguments } from "@leadloom/testkit/Program"
import { offsetVariable } from "./HangingServer.ts"
import { type ServerProcess, startProcess } from "./ServerProcess.ts"
import { adminKey } from "./TestServer.ts"

const program = programArguments("HangingServer", fileURLToPath(new URL("HangingServer.ts", import.meta.url)))

/** Server processes on one database that a test kills and starts again, also at another time. */
export class KilledServers {
  #servers: ReadonlyArray<ServerProcess> = []

  /**
   * Starts one server per database, which all send through the relay at `relayPort`. `time` is their clock at the start
   * in epoch milliseconds.
   */
  async start(
    databases: ReadonlyArray<Readonly<Record<string, string>>>,
    time: number,
    relayPort: number
  ): Promise<void> {
    const env = {
      [offsetVariable]: String(time - Date.now()),
      LEADLOOM_LIMIT_ADMIN: "1000000",
      LEADLOOM_SECRET_KEY: "one-secret-for-all-of-the-servers-here",
      LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${relayPort}`
    }
    this.#servers = databases.map((database) => startProcess({ ...env, ...database }, program))
    await Promise.all(this.#servers.map(({ url }) => url))
  }

  /** Kills all servers, and waits until they have ended. */
  async killAll(): Promise<void> {
    for (const server of this.#servers) server.kill("SIGKILL")
    await Promise.all(this.#servers.map(({ exit }) => exit))
  }

  /** Kills one server after another. Server number `index`, from 0, is killed once `moment(index)` resolves. */
  async killEach(moment: (index: number) => Promise<unknown>): Promise<void> {
    for (const [index, server] of this.#servers.entries()) {
      await moment(index)
      server.kill("SIGKILL")
      await server.exit
    }
  }

  /** Sends a request with the admin key to the server number `index`, modulo the number of servers. */
  async call(method: string, path: string, body?: unknown, index = 0): Promise<{ status: number; json: unknown }> {
    const server = this.#servers[index % this.#servers.length]
    const response = await fetch(`${await server?.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { status: response.status, json: await response.json() }
  }
}
