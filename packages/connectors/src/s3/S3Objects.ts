// The `Objects` port on S3. Keys and retention are decided in core. Tests: `packages/connectors/test/s3`.
import { createHash } from "node:crypto"
import { objectPath, Objects, ObjectsUnavailable } from "@leadloom/core/internal/port/system/Objects"
import { AwsClient } from "aws4fetch"
import { Effect, Layer } from "effect"

/** The location and credentials of a bucket. The bucket must exist. */
export interface S3Options {
  /** The URL of the service. The bucket is the first path segment ("path style"). */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The timeout of one operation in milliseconds. Default: 30 s. */
  readonly timeoutMillis?: number
}

const defaultTimeoutMillis = 30_000
/** The number of retries after 5xx and 429 (S3's `SlowDown`). */
const retries = 2

/** Returns the code of an S3 error, for example `AccessDenied`. The rest of the body may contain confidential data. */
const errorCode = (body: string): string => /<Code>(\w{1,64})<\/Code>/u.exec(body)?.[1] ?? "no code"

const systemCode = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  if (cause.name === "TimeoutError") return "the timeout expired"
  const inner = cause.cause
  return inner instanceof Error && "code" in inner ? String(inner.code) : cause.name
}

interface Answer {
  readonly status: number
  readonly bytes: Uint8Array
}

type Method = "PUT" | "GET" | "DELETE"

const makeRequester = (options: S3Options) => {
  const { accessKeyId, bucket, endpoint, region, secretAccessKey } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries })
  const base = `${endpoint.replace(/(?<!\/)\/+$/u, "")}/${encodeURIComponent(bucket)}`
  return async (method: Method, path: string, body: Uint8Array | null): Promise<Answer> => {
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex")
    const response = await client.fetch(`${base}/${path}`, {
      method,
      // S3 verifies the content against this checksum, which also works over a connection without TLS.
      headers: { "x-amz-content-sha256": digest },
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeoutMillis ?? defaultTimeoutMillis),
      ...(body === null ? {} : { body: Buffer.from(body) })
    })
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
}

const refused = (method: Method, { bytes, status }: Answer): ObjectsUnavailable =>
  new ObjectsUnavailable({
    reason: `S3 answered ${method} with ${status} (${errorCode(Buffer.from(bytes).toString("latin1", 0, 4_096))})`
  })

/** Returns whether the object is missing. A missing bucket has the same status, so the code of the error decides. */
const isAbsent = ({ bytes, status }: Answer): boolean =>
  status === 404 && errorCode(Buffer.from(bytes).toString("latin1", 0, 4_096)) !== "NoSuchBucket"

/** Stores objects in a bucket of S3 or a compatible service. */
export const layer = (options: S3Options): Layer.Layer<Objects> =>
  Layer.sync(Objects, () => {
    const send = makeRequester(options)
    const sendRequest = (method: Method, path: string, body: Uint8Array | null = null) =>
      Effect.tryPromise({
        try: () => send(method, path, body),
        catch: (cause) => new ObjectsUnavailable({ reason: `S3 did not respond to ${method}: ${systemCode(cause)}` })
      }).pipe(
        Effect.flatMap((answer) => {
          if (answer.status >= 200 && answer.status < 300) return Effect.succeed(answer.bytes)
          return method !== "PUT" && isAbsent(answer) ? Effect.succeed(null) : Effect.fail(refused(method, answer))
        })
      )
    return Objects.of({
      put: (tenantId, key, bytes) => Effect.asVoid(sendRequest("PUT", objectPath(tenantId, key), bytes)),
      get: (tenantId, key) => sendRequest("GET", objectPath(tenantId, key)),
      remove: (tenantId, key) => Effect.asVoid(sendRequest("DELETE", objectPath(tenantId, key)))
    })
  })
