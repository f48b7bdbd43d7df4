/** CPU profiles of a server process, over the inspector of Node.js. */
import { once } from "node:events"

/** A node of a profile of V8. Times are in microseconds. */
interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: ReadonlyArray<number>
}

interface CpuProfile {
  readonly nodes: ReadonlyArray<ProfileNode>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** A connection to the inspector of a process. */
export interface Inspector {
  /** Profiles the main thread while an action runs. */
  readonly profile: (action: () => Promise<void>) => Promise<CpuProfile>
  readonly close: () => void
}

/** The time between two samples, in microseconds. */
const samplingMicros = 250

/** Connects to the address that `--inspect` has printed. */
export const connectInspector = async (stderr: string): Promise<Inspector> => {
  const address = /ws:\/\/\S+/u.exec(stderr)?.[0]
  if (address === undefined) throw new Error("the process has no inspector: start it with --inspect")
  const socket = new WebSocket(address)
  await once(socket, "open")
  let last = 0
  const call = async (method: string, params: object = {}): Promise<{ readonly profile?: CpuProfile }> => {
    const id = ++last
    const answer = Promise.withResolvers<{ readonly profile?: CpuProfile }>()
    const read = ({ data }: MessageEvent): void => {
      const message: { readonly id?: number; readonly result?: { readonly profile?: CpuProfile } } = JSON.parse(
        String(data)
      )
      if (message.id !== id) return
      socket.removeEventListener("message", read)
      answer.resolve(message.result ?? {})
    }
    socket.addEventListener("message", read)
    socket.send(JSON.stringify({ id, method, params }))
    return answer.promise
  }
  await call("Profiler.enable")
  await call("Profiler.setSamplingInterval", { interval: samplingMicros })
  return {
    profile: async (action) => {
      await call("Profiler.start")
      await action()
      const { profile } = await call("Profiler.stop")
      if (profile === undefined) throw new Error("the inspector has returned no profile")
      return profile
    },
    close: () => socket.close()
  }
}

/** The parts of the time on the main thread, by the path of the source; the first match counts. */
const parts: ReadonlyArray<readonly [part: string, path: RegExp]> = [
  ["SQLite: statements and rows", /better-sqlite3|packages\/store\/src\/Sqlite\.ts/u],
  ["other store code", /packages\/store\//u],
  ["Effect: HTTP, routing, headers", /\/effect\/dist\/(?:unstable\/)?http|\/platform-node/u],
  ["schemas", /\/effect\/dist\/(?:internal\/)?[Ss]chema/u],
  ["Effect: fibers and context", /\/effect\//u],
  ["authorisation and rate limit", /packages\/(?:server|core)\/src\/.*(?:access|[Ll]imit)/u],
  ["other HTTP code", /packages\/(?:server|api)\//u],
  ["workflows and domain", /packages\/core\//u],
  ["connectors", /packages\/connectors\//u],
  ["hashes", /@noble/u],
  ["Node.js", /^node:/u]
]

const writes = /^(?:writeUtf8String|writeLatin1String|writeBuffer|writev|writeAsciiString|writeString)$/u

const partOf = ({ functionName, url }: ProfileNode["callFrame"]): string | null => {
  if (functionName === "(garbage collector)") return "garbage collection"
  if (functionName === "(program)") return "native code outside JavaScript"
  if (functionName === "(idle)" || functionName === "(root)") return null
  if (writes.test(functionName)) return "system call that writes"
  return url === "" ? null : (parts.find(([, path]) => path.test(url))?.[0] ?? "other libraries")
}

/** The self time of a part, or of a function, in microseconds. */
export type Times = ReadonlyMap<string, number>

/** Returns the busy time of a profile by part. Native code counts for the function of a file that called it. */
export const timesByPart = ({ nodes, samples, timeDeltas }: CpuProfile): Times => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)))
  const found = new Map<number, string | null>()
  const resolve = (id: number): string | null => {
    const known = found.get(id)
    if (known !== undefined) return known
    const node = byId.get(id)
    const parent = parents.get(id)
    const isIdle = node?.callFrame.functionName === "(idle)"
    const part =
      node === undefined || isIdle ? null : (partOf(node.callFrame) ?? (parent === undefined ? null : resolve(parent)))
    found.set(id, part)
    return part
  }
  const times = new Map<string, number>()
  samples.forEach((id, index) => {
    const part = resolve(id)
    if (part !== null) times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0))
  })
  return times
}
