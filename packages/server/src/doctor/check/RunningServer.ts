import { version } from "@leadloom/api/internal/Api"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { ServerProbe } from "../ServerProbe.ts"

const versionFinding = (probe: ServerProbe): Finding =>
  probe.version === version
    ? healthy(`The server at ${probe.url} is healthy, version ${version}.`)
    : warning(
        `The server at ${probe.url} is healthy, version ${probe.version}, but this program has version ${version}.`,
        "Restart the server after an update."
      )

const keyFinding = ({ adminStatus }: ServerProbe): ReadonlyArray<Finding> => {
  if (adminStatus === null) return []
  if (adminStatus === 200) return [healthy("The server accepts the admin key.")]
  const isRefused = adminStatus === 401 || adminStatus === 403
  return isRefused
    ? [
        problem(
          "The server rejects the admin key.",
          "Set the same LEADLOOM_ADMIN_KEY for the server and the command line, and restart the server."
        )
      ]
    : [
        warning(
          `The server answered a request with the admin key with status ${adminStatus}.`,
          "Read the server's log."
        )
      ]
}

/** Checks the health, the version and the admin key of a running server. */
export const runningServer: Check = {
  name: "server",
  run: ({ server }) =>
    Effect.sync(() => {
      if (server === null) return []
      if (server.status === 0) return [healthy(`No server answers at ${server.url}.`)]
      if (server.status !== 200) {
        return [
          problem(
            `The server at ${server.url} is not healthy: status ${server.status}.`,
            "Read the server's log. The most frequent cause is a database that does not answer."
          )
        ]
      }
      if (server.version === null) {
        return [problem(`Another program answers at ${server.url}.`, "Stop it, or set LEADLOOM_PORT to another port.")]
      }
      return [versionFinding(server), ...keyFinding(server)]
    })
}
