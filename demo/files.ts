// Files and folders, dropped or picked, as a list of textures with the level files of BLP0 beside them.

export interface Found {
  name: string;
  /** With the folders that it was found in. */
  path: string;
  file: Blob;
  levelFiles?: (Blob | undefined)[];
}

interface Entry {
  path: string;
  file: File;
}

/** What was dropped; folders are walked. */
export async function readDropped(transfer: DataTransfer): Promise<Found[]> {
  // The items are gone after the first await.
  const dropped = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files: Entry[] = [];
  for (const { entry, file } of dropped) {
    if (entry) await walk(entry, files);
    else if (file) files.push({ path: file.name, file });
  }
  return arrange(files);
}

/** What was picked with an input of files or of a folder. */
export function readPicked(list: FileList): Found[] {
  return arrange([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

async function walk(entry: FileSystemEntry, files: Entry[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    files.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // Each call returns some of the entries, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const child of some) await walk(child, files);
  }
}

/** Textures in the order of their paths. Of a folder only BLP files are taken, of single files all. */
function arrange(files: Entry[]): Found[] {
  const levels = new Map<string, Blob[]>();
  const others: Entry[] = [];
  for (const entry of files) {
    const [, stem, number] = /^(.*)\.b(\d\d)$/i.exec(entry.path) ?? [];
    if (stem === undefined) {
      if (/\.blp$/i.test(entry.path) || !entry.path.includes('/')) others.push(entry);
      continue;
    }
    const known = levels.get(stem.toLowerCase()) ?? [];
    known[Number(number)] = entry.file;
    levels.set(stem.toLowerCase(), known);
  }
  const collator = new Intl.Collator(undefined, { numeric: true });
  return others
    .map(({ path, file }): Found => {
      const levelFiles = levels.get(path.replace(/\.blp$/i, '').toLowerCase());
      const name = path.split('/').at(-1) ?? path;
      return levelFiles ? { name, path, file, levelFiles: [...levelFiles] } : { name, path, file };
    })
    .sort((a, b) => collator.compare(a.path, b.path));
}

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, bytes: Uint8Array, type: string): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
