/** The forms of the command. */
export const SYNOPSIS = `Usage: fastify-task-dashboard --broker <url> [options]
       fastify-task-dashboard demo [--port <port>]
       fastify-task-dashboard doctor <url> [--user <name>] [--json]
       fastify-task-dashboard migrate <url>|--print [--namespace <name>]
                                      [--role <role>]
`

/** What --help prints; at most 80 columns, as narrow terminals have. */
export const USAGE = `${SYNOPSIS}
--broker <url>  Serves a dashboard of the BullMQ queues on a server, which it
                only reads unless you add --manage. URLs: redis://host:6379/0,
                rediss:// for TLS, redis-sentinel://, postgres://user@host/name.
  --prefix <prefix>   BullMQ's prefix of their keys; give it again for several.
                      Default bull. On PostgreSQL the schema; default bullmq.
  --queues <a,b>      Only these queues. Default: all under the prefix.
  --manage            Allows run, retry, cancel, priority, pause, resume and
                      changes of schedules.
  --backend <url>     Where the history is kept: redis://host:6379/1,
                      postgres://user@host/name or embedded:./folder.
                      Default: in memory, until the command ends.
  --namespace <name>  Keeps histories apart in one --backend. Default observed.
  --port <port>       Default 3000; 0 takes any free port.
  --host <host>       Default 127.0.0.1, which only this machine reaches.
  --user <name>       Asks everybody for this name and the password in the
                      environment variable TASK_DASHBOARD_PASSWORD, or after
                      --password. Needed for any other --host.

  Other users of this machine can see what is written here. Keep URLs with a
  password in TASK_DASHBOARD_BROKER and TASK_DASHBOARD_BACKEND, or in a file:
  --broker @file, or --broker @- for standard input.

demo            Serves a dashboard with tasks of its own, in memory. It needs no
                server.
doctor <url>    Reports what is wrong with a mounted dashboard, and which line
                of configuration fixes it. --user and --password sign in.
migrate <url>   Creates or updates the tables of a queue app in PostgreSQL, and
                grants a role the rights that the queue app needs. --print
                writes the SQL to standard output without connecting.
--help, --version

The exit code is 1 if there is an error, 2 if the command is used incorrectly,
otherwise 0.
`
