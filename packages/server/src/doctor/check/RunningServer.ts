import { version } from "@leadloom/api/Api"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"
import type { ServerProbe } from "../ServerProbe.ts"

const versionFinding = (probe: ServerProbe): Finding =>
  probe.version === version
    ? healthy(`The server at ${probe.url} is well, version ${version}.`)
    : warning(
        `The server at ${probe.url} is well, version ${probe.version}; this program is ${version}.`,
        "Start the server anew after an update."
      )

const keyFinding = ({ adminStatus }: ServerProbe): ReadonlyArray<Finding> => {
  if (adminStatus === null) return []
  if (adminStatus === 200) return [healthy("It takes the admin key.")]
  const isRefused = adminStatus === 401 || adminStatus === 403
  return isRefused
    ? [
        problem(
          "It does not take the admin key.",
          "Give it and the command line the same LEADLOOM_ADMIN_KEY, and start it anew."
        )
      ]
    : [warning(`It answered the admin key with status ${adminStatus}.`, "Look at its log.")]
}

/** A server that runs is well. */
export const runningServer: Check = {
  name: "server",
  run: ({ server }) =>
    Effect.sync(() => {
      if (server === null) return []
      if (server.status === 0) return [healthy(`No server answers at ${server.url}.`)]
      if (server.status !== 200) {
        return [
          problem(
            `The server at ${server.url} is not well: status ${server.status}.`,
            "Look at its log; most often its database does not answer."
          )
        ]
      }
      if (server.version === null) {
        return [problem(`Another program answers at ${server.url}.`, "Stop it, or set LEADLOOM_PORT to another port.")]
      }
      return [versionFinding(server), ...keyFinding(server)]
    })
}
