import type { AttachedFile } from "@leadloom/client"
import { composerText } from "../text/Composer.ts"
import { fileName, type RunningUpload } from "./Attach.ts"
import styles from "./Composer.module.css"

interface AttachmentsProps {
  readonly files: ReadonlyArray<AttachedFile>
  readonly running: ReadonlyArray<RunningUpload>
  readonly onRemove: (uploadId: string) => void
}

/** The files of a draft, and those that are on their way to the server. */
export const Attachments = ({ files, onRemove, running }: AttachmentsProps) =>
  files.length + running.length === 0 ? null : (
    <ul className={styles.files} aria-label={composerText.files.list}>
      {files.map(({ upload_id }, position) => {
        const name = fileName(upload_id, position)
        return (
          <li key={upload_id}>
            {name}{" "}
            <button type="button" aria-label={composerText.files.remove(name)} onClick={() => onRemove(upload_id)}>
              ×
            </button>
          </li>
        )
      })}
      {running.map(({ id, name, stop }) => (
        <li key={id}>
          {/* `fetch` reports no progress of a request body, so the bar shows activity only. */}
          <progress aria-label={composerText.files.uploading(name)} /> {name}{" "}
          <button type="button" aria-label={composerText.files.remove(name)} onClick={stop}>
            ×
          </button>
        </li>
      ))}
    </ul>
  )
