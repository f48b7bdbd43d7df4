import { Context, Effect, Layer, type Scope } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"

/** The scanner does not answer. Files are rejected meanwhile, because an unchecked file must not reach a recipient. */
export class ScannerUnavailable extends TaggedError("ScannerUnavailable")<{
  /** The cause, for the log, never for a client. */
  readonly reason: string
}> {}

/** The scan of one file while it arrives. */
export interface FileScan {
  /** Passes the next bytes of the file to the scanner. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, ScannerUnavailable>
  /** Ends the file. Returns the name of the malware in it; null for a clean file. */
  readonly verdict: Effect.Effect<string | null, ScannerUnavailable>
}

/** Scans uploaded files for malware. */
export class FileScanner extends Context.Service<
  FileScanner,
  {
    /** Starts the scan of one file. */
    readonly open: Effect.Effect<FileScan, ScannerUnavailable, Scope.Scope>
  }
>()("core/port/provider/FileScanner") {
  /** The layer of a server without a scanner. It accepts every file. */
  static readonly layerNone: Layer.Layer<FileScanner> = Layer.succeed(FileScanner, {
    open: Effect.succeed({ write: () => Effect.void, verdict: Effect.succeed(null) })
  })
}
