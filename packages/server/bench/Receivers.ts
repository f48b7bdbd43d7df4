/**
 * Webhook receivers in a separate process, for measurements. The parent reads `/count`, `/progress` (the number of
 * distinct events per receiver) and `/seen` (event numbers in the order of arrival). Every other path is a receiver and
 * records the number of each event. The name of a receiver determines its answer: `slow…` waits for the milliseconds of
 * the first argument (300), `flaky…` answers every fifth request with 500, and `dead…` breaks the connection. All
 * others answer immediately.
 */
import { createServer, type ServerResponse } from "node:http"

const slowMillis = Number(process.argv[2] ?? 300)
const seen = new Map<string, Array<number>>()
const different = new Map<string, Set<number>>()
let requests = 0

const report = (response: ServerResponse): void =>
  void response.end(JSON.stringify({ requests, seen: Object.fromEntries(seen) }))

const note = (path: string, number: number): void => {
  const [numbers, set] = [seen.get(path), different.get(path)]
  if (numbers === undefined || set === undefined) {
    seen.set(path, [number])
    different.set(path, new Set([number]))
  } else {
    numbers.push(number)
    set.add(number)
  }
}

const server = createServer((request, response) => {
  const path = request.url ?? "/"
  if (path === "/count") return void response.end(String(requests))
  if (path === "/seen") return report(response)
  if (path === "/progress") {
    return void response.end(JSON.stringify(Object.fromEntries([...different].map(([name, all]) => [name, all.size]))))
  }
  request.resume()
  request.on("end", () => {
    requests += 1
    if (path.startsWith("/dead")) return void request.socket.destroy()
    if (path.startsWith("/flaky") && Math.random() < 0.2) return void response.writeHead(500).end("no")
    note(path, Number(request.headers["x-webhook-sequence"]))
    const answer = (): void => void response.writeHead(204).end()
    if (path.startsWith("/slow")) setTimeout(answer, slowMillis)
    else answer()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0}\n`)
})
