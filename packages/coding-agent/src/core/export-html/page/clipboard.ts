/** Puts text on the clipboard; pages from a disk may have to do it the old way. Returns whether it worked. */
export async function copyText(content: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = content;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}
