/**
 * Receivers of webhooks in a process of their own, for measurements: `/count` and `/reset` for whoever started it, every
 * other path is a receiver, which notes the number of each event. Its name says how it answers: `slow…` after 300 ms,
 * `flaky…` with 500 every fifth time, `dead…` by breaking the connection; the others at once.
 */
import { createServer, type ServerResponse } from "node:http"

const seen = new Map<string, Array<number>>()
let requests = 0

const report = (response: ServerResponse): void =>
  void response.end(JSON.stringify({ requests, seen: Object.fromEntries(seen) }))

const server = createServer((request, response) => {
  const path = request.url ?? "/"
  if (path === "/count") return void response.end(String(requests))
  if (path === "/seen") return report(response)
  request.resume()
  request.on("end", () => {
    requests += 1
    if (path.startsWith("/dead")) return void request.socket.destroy()
    if (path.startsWith("/flaky") && Math.random() < 0.2) return void response.writeHead(500).end("no")
    const numbers = seen.get(path)
    const number = Number(request.headers["x-webhook-sequence"])
    if (numbers === undefined) seen.set(path, [number])
    else numbers.push(number)
    const answer = (): void => void response.writeHead(204).end()
    if (path.startsWith("/slow")) setTimeout(answer, 300)
    else answer()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0}\n`)
})
