/** Loads an optional peer when it is asked for: by a name that no compiler looks up, since the package is there or not. */
export function importPeer<Package>(name: string): () => Promise<Package> {
  return () => import(name) as Promise<Package>;
}
