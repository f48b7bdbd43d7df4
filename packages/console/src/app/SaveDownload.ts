import type { Download } from "@leadloom/client"

/** Saves a file of the server under a name. Holds it in memory. */
export const saveDownload = async (download: Download, name: string): Promise<void> => {
  const type = download.contentType ?? "application/octet-stream"
  const url = URL.createObjectURL(new Blob([await download.bytes()], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
