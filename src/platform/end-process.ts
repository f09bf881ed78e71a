/**
 * Ends the process with status 0, also while file calls hang: `process.exit` waits for them, and what takes the place of the process does not. Node before 22.15, and Windows, cannot
 * replace a process; there it is killed.
 */
export function endProcess(): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))) process.exit(0);
  try {
    process.execve?.("/bin/sh", ["sh", "-c", "exit 0"], {});
  } catch {
    // There is no such shell.
  }
  process.kill(process.pid, "SIGKILL");
}
