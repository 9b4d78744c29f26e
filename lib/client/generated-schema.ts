/* eslint-disable */
// Generated from docs/openapi.json by scripts/generate-openapi.ts. Do not edit.
export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of each component */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks this mount */
        get: operations["getDoctor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/doctor/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends five events within a second, to check whether a proxy buffers streams */
        get: operations["getDoctorStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Statistics of the whole queue app */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Executions, durations or waits over time, up to now */
        get: operations["getTimeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every registered task */
        get: operations["listTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task in detail */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enqueues an execution of a task */
        post: operations["runTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{name}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The executions of one task, newest first */
        get: operations["listTaskExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Executions of all tasks, newest first */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One execution with its payloads */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        /** Deletes a finished execution from the history; counts and charts stay */
        delete: operations["deleteExecution"];
        options?: never;
        head?: never;
        /** Changes the priority or due time of a pending execution */
        patch: operations["updateExecution"];
        trace?: never;
    };
    "/api/executions/{id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why an execution does not run: one sentence and the facts behind it */
        get: operations["getExecutionWhy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executions/{id}/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What BullMQ keeps of the job of an execution in an existing queue: parent, children, deduplication key, trace */
        get: operations["getExecutionJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a failed execution again, once; its retry has an id of its own */
        post: operations["retryExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/executions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels a pending execution, or asks the handler of a running one to stop; the answer says which */
        post: operations["cancelExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Completions for an execution search */
        get: operations["listSearchCompletions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Failures grouped by their cause, last seen first */
        get: operations["listFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/failures/{group}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Marks a failure group as resolved, until it fails again */
        put: operations["resolveFailureGroup"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/failures/{group}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Opens a resolved failure group again, or gives an open one a note */
        put: operations["reopenFailureGroup"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Bulk operations of the last 7 days, newest first */
        get: operations["listBulkOperations"];
        put?: never;
        /** Retries, cancels, deletes or resolves everything that matches a filter; a dry run tells what would be done */
        post: operations["createBulkOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bulk/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One bulk operation and its progress */
        get: operations["getBulkOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bulk/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The outcome of each item of a bulk operation, in the order in which they were done */
        get: operations["listBulkItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bulk/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Suspends a bulk operation until it is resumed */
        put: operations["suspendBulkOperation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bulk/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Resumes a suspended bulk operation */
        put: operations["resumeBulkOperation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bulk/{id}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Ends a bulk operation; what it did stays */
        put: operations["abortBulkOperation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bulk/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Takes back what a bulk operation did, where that is possible: retries that have not started, and resolved groups */
        put: operations["undoBulkOperation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists schedules, oldest first by default */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Previews the runs of a cron expression or an interval */
        get: operations["previewSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/agenda": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Planned runs of the enabled schedules, hour by hour */
        get: operations["getScheduleAgenda"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/cron": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a schedule with a cron expression */
        post: operations["createCronSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/interval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a schedule that runs at an interval */
        post: operations["createIntervalSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One schedule */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /** Deletes a schedule; its executions stay in the history */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /** Changes fields of a schedule; fields you leave out do not change */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/api/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a schedule now, whether it is enabled or not; its next planned run does not move */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The executions of one schedule, newest first */
        get: operations["listScheduleExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}/misses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists missed and late runs, newest first; the last 50 entries are kept */
        get: operations["listScheduleMisses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Enables a schedule */
        put: operations["enableSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Stops a schedule from running; no run starts after the answer */
        put: operations["disableSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every process that runs tasks */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The queue of every registered task */
        get: operations["listQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Pauses a queue: no process takes another execution from it, and what runs goes on */
        put: operations["pauseQueue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Resumes a queue, whoever paused it */
        put: operations["resumeQueue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues/{name}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Limits a queue over the workers of all processes, without a deploy */
        put: operations["limitQueue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who changed what, newest first; refused writes too */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current user and what they may do, in general or with one task */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A requested write */
        AuditEntry: {
            entry_id: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            at: string;
            /** @description Who: the name of the signed-in user, and the id if it differs; null if unknown */
            actor: string | null;
            /** @description From where: the address of the client; null if the host does not tell it */
            address: string | null;
            /** @description What, for example schedules:delete */
            action: string;
            /** @description On what: the task, schedule, execution and failure group that the request named or created */
            resource: {
                task_name: string | null;
                schedule_id: string | null;
                execution_id: string | null;
                error_group: string | null;
            };
            method: string;
            /** @description Path below the dashboard, without the query */
            path: string;
            /** @description As in the log of the server */
            request_id: string;
            /** @description Why, from the header `Audit-Reason`; null if none was given */
            reason: string | null;
            /**
             * @description done: the change was made. refused: it was not allowed, not valid or not possible. failed: a datastore was out of reach or the server failed, and nothing was changed. unknown: it may have been made. in_progress: it has no outcome yet
             * @enum {string}
             */
            outcome: "done" | "refused" | "failed" | "unknown" | "in_progress";
            /** @description HTTP status of the answer; null if there is no outcome */
            status: number | null;
            /** @description Error code of the answer; null if it was no error */
            code: string | null;
            /** @description The resource before the change, redacted; null if the write does not change one */
            before: unknown;
            /** @description The answer to the write; null if the change was not made */
            after: unknown;
            /** @description `/before` and `/after` if they were too large to keep */
            truncated: string[];
            /** @description Refused writes before this entry that are not listed: each process lists at most 60 per minute. Null if you may not see the writes of all tasks */
            not_listed: number | null;
        };
        AuditPage: {
            items: components["schemas"]["AuditEntry"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
            /** @description false: the filter left a long scan unfinished, and the page has fewer entries than `limit`. There may be more at `next_cursor` */
            complete: boolean;
            /** @description How much is kept: the last days and at most this many entries */
            kept: {
                days: number;
                count: number;
            };
        };
        Backoff: {
            /**
             * @description exponential: each wait is twice as long as the previous one, up to max_delay_ms
             * @enum {string}
             */
            type: "fixed" | "exponential";
            /** @description Before the second attempt */
            delay_ms: number;
            /** @description The longest wait */
            max_delay_ms: number;
            /** @description The random share of each wait */
            jitter: number;
        };
        /** @description The filter of a bulk operation */
        BulkFilter: {
            /** @enum {string} */
            status?: "pending" | "running" | "success" | "failed" | "cancelled";
            /** @description Name of a registered task */
            task_name?: string;
            /** @description Id of a schedule */
            schedule_id?: string;
            worker_id?: string;
            /** @description Fingerprint of an error; similar errors share it */
            error_group?: string;
            /** @description Only finished executions whose last attempt ran at least this long */
            min_duration_ms?: number;
            search?: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            from?: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            to?: string;
            /** @description Only these executions */
            execution_ids?: string[];
        };
        /** @description As in `GET /api/executions`, and `execution_ids`; all of them must match */
        BulkFilterInput: {
            /** @enum {string} */
            status?: "pending" | "running" | "success" | "failed" | "cancelled";
            /** @description Name of a registered task */
            task_name?: string;
            /** @description Id of a schedule */
            schedule_id?: string;
            /** @description Id of a process that runs tasks */
            worker_id?: string;
            /** @description Fingerprint of an error; similar errors share it */
            error_group?: string;
            /** @description Only finished executions whose last attempt ran at least this long */
            min_duration_ms?: number;
            /** @description In the search language: words of errors and arguments, and filters such as `status:failed took:>5s` */
            search?: string;
            /**
             * Format: date-time
             * @description RFC 3339 instant, for example 2026-11-20T09:00:00Z
             */
            from?: string;
            /**
             * Format: date-time
             * @description RFC 3339 instant, for example 2026-11-20T09:00:00Z
             */
            to?: string;
            /** @description Only these executions */
            execution_ids?: string[];
        };
        BulkInput: {
            /**
             * @description retry: failed executions. cancel: pending and running ones. delete: finished ones. resolve: the open failure groups of failed ones; its filter takes only a task, a group, and times, to the hour
             * @enum {string}
             */
            action: "retry" | "cancel" | "delete" | "resolve";
            filter: components["schemas"]["BulkFilterInput"];
            /** @description true: changes nothing, and answers what would be done */
            dry_run: boolean;
            /** @description From a dry run: nothing starts if the filter matches another number by now. Without one, it starts whatever matches */
            token?: string;
            /** @description Kept with the operation */
            reason?: string;
            /** @description Items per second at most; somewhat fewer while the stores are slow. Absent: as fast as the stores allow */
            rate?: number;
        };
        BulkItem: {
            /** @description null for a failure group */
            task_name: string | null;
            /** @description null for a failure group */
            execution_id: string | null;
            /** @description null unless the action is resolve */
            error_group: string | null;
            /** @enum {string} */
            outcome: "done" | "skipped" | "failed" | "undone";
            /** @description Why it was skipped, failed or not taken back, as the error of the single action; otherwise null */
            code: string | null;
            /** @description The retry; null unless this operation made one */
            made_execution_id: string | null;
        };
        BulkItemPage: {
            items: components["schemas"]["BulkItem"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
            total: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
        };
        /** @description An action on everything that matched a filter. It is kept for 7 days after it was created, at most 1000 at a time */
        BulkOperation: {
            operation_id: string;
            /** @description null if it is unsupported */
            action: ("retry" | "cancel" | "delete" | "resolve") | null;
            /**
             * @description running: it continues, in any process. suspended: until it is resumed. aborted: it ended early; at most one step that had begun is completed. done: every item has an outcome. undoing, undone: what it did is taken back where that is possible. unsupported: another version of this package started it, and continues it; this one does not change it
             * @enum {string}
             */
            state: "running" | "suspended" | "aborted" | "done" | "undoing" | "undone" | "unsupported";
            /** @description A store that is unavailable or refuses: the operation continues once the store responds. null if it waits for none */
            waiting_for: ("broker" | "result_backend") | null;
            /** @description Why it does not go on, if that does not pass by itself: the store that it waits for refuses, or it is unsupported */
            problem: string | null;
            /** @description null if it is unsupported. Lists leave out its `execution_ids` */
            filter: components["schemas"]["BulkFilter"] | null;
            /** @description How many executions it is limited to: those of its `execution_ids` that matched when it was accepted. At most so many if `executions_checked` is false; null if its filter names none */
            execution_count: number | null;
            /** @description false: looking them up took too long, so `execution_count` is how many were named, and fewer may match. null if its filter names none */
            executions_checked: boolean | null;
            /** @description Of its `execution_ids`, those that whoever started it may not use this action on. null if its filter names none, in lists, within a scope, and if it is not known */
            executions_left_out: number | null;
            /**
             * Format: date-time
             * @description When it was accepted, or the token counted: nothing later is touched, unless the filter names it
             */
            before: string;
            /** @description How many tasks it may touch: those that you may use this action on; 0 if nothing matches. With `execution_ids`, those of what matches; if looking them up took too long, at most this many, and `count` is at_least */
            task_count: number;
            /** @description Tasks that the filter covers, but that you may not use this action on. With `execution_ids`, those of which nothing is left */
            tasks_left_out: number;
            /** @description What the filter matched when it was accepted */
            count: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
            /** @description null if it is unsupported */
            progress: {
                /** @description Items with an outcome: the sum of the following */
                items: number;
                done: number;
                /** @description Nothing was left to do, such as a retry that someone else made */
                skipped: number;
                /** @description It could not be done; the item has the code */
                failed: number;
                /** @description Taken back */
                undone: number;
            } | null;
            /** @description Items per second; null: as fast as the stores allow */
            rate: number | null;
            reason: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            created_at: string;
            /** @description Who started it; null if unknown */
            created_by: string | null;
            /** @description When it was last suspended, resumed, aborted or undone; null if never */
            changed_at: string | null;
            changed_by: string | null;
            /** @description null while it is running, suspended or undoing */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            expires_at: string;
            /** @description Whether it can be undone now: it has ended, and something it did could be taken back */
            undoable: boolean;
            /** @description It ended because it had 1000000 items; more may match */
            capped: boolean;
        };
        BulkPage: {
            items: components["schemas"]["BulkOperation"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
            total: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
        };
        BulkPreview: {
            /** @enum {string} */
            action: "retry" | "cancel" | "delete" | "resolve";
            /** @description What the filter matches now: executions, or failure groups to resolve. at_least 0: counting takes too long */
            count: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
            /** @description How many tasks it may touch: those that you may use this action on; 0 if nothing matches. With `execution_ids`, those of what matches; if looking them up took too long, at most this many, and `count` is at_least */
            task_count: number;
            /** @description Tasks that the filter covers, but that you may not use this action on. With `execution_ids`, those of which nothing is left */
            tasks_left_out: number;
            /** @description Of `execution_ids`, those that you may not use this action on; null without them */
            executions_left_out: number | null;
            /** @description The newest of them, at most 10, none if reading takes too long; for resolve, the last failure of each */
            sample: components["schemas"]["Execution"][];
            /** @description Send it to start the operation only if the count has not changed */
            token: string;
            /** @description An operation ends after this many items: 1000000 */
            max_items: number;
        };
        CronScheduleInput: {
            /** @description Name of a registered task */
            task_name: string;
            description?: string | null;
            /** @description Positional arguments, at most 65536 bytes as JSON */
            args?: unknown[];
            /** @default true */
            enabled?: boolean;
            /**
             * @description 0 is no priority and runs first, then 1 (most urgent) upward
             * @default 0
             */
            priority?: number;
            /**
             * @description IANA name
             * @default UTC
             */
            timezone?: string;
            /**
             * @default allow
             * @enum {string}
             */
            overlap?: "allow" | "skip";
            /**
             * @description After an outage: `none`, missed runs stay missed; `one`, a single late run stands for all of them
             * @default none
             * @enum {string}
             */
            catch_up?: "none" | "one";
            /**
             * @description Delays each run by 0 to this many milliseconds, always the same for the same instant
             * @default 0
             */
            jitter_ms?: number;
            /** @description No run is due before it */
            start_at?: string | null;
            /** @description No run is due after it */
            end_at?: string | null;
            /** @description Exactly five fields: minute, hour, day of month, month, day of week */
            cron: string;
        };
        Doctor: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            timestamp: string;
            version: string;
            /** @description This request as the server saw it */
            request: {
                /** @description The Host header as it arrived */
                host: string | null;
                /** @description The path as it arrived at the host */
                path: string;
                /** @description Names of the forwarding headers that arrived */
                forwarded: string[];
            };
            findings: components["schemas"]["Finding"][];
        };
        Execution: {
            /** @description Id of an execution */
            execution_id: string;
            /** @description Name of a registered task */
            task_name: string;
            /** @description Name of the BullMQ queue */
            queue: string;
            /** @enum {string} */
            status: "pending" | "running" | "success" | "failed" | "cancelled";
            /** @enum {string} */
            state: "waiting" | "delayed" | "prioritized" | "waiting_children" | "paused" | "active" | "retrying" | "stalled" | "completed" | "failed" | "cancelled";
            /** @description Attempts started; 0 before the first */
            attempt: number;
            max_attempts: number;
            /** @description 0 is no priority and runs first, then 1 (most urgent) upward */
            priority: number;
            /** @description The schedule that enqueued it, or null */
            schedule_id: string | null;
            /** @description The execution it repeats, or null */
            retry_of: string | null;
            /** @description The last process that ran it */
            worker_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            submitted_at: string;
            /** @description When its schedule planned it, jitter included; null if it was not planned, such as a run that someone started */
            planned_at: string | null;
            /** @description Start of the last attempt */
            started_at: string | null;
            finished_at: string | null;
            /** @description When its next attempt is due; null unless its `state` is `delayed` or `retrying` */
            next_attempt_at: string | null;
            /** @description Since when its handler has been asked to stop; null unless it was, and has not finished */
            cancelling_since: string | null;
            /** @description Time from when it was due (submitted, or the end of its delay) to its first start; null if unknown */
            wait_ms: number | null;
            /** @description How long the last attempt ran */
            duration_ms: number | null;
            /** @description The last value the handler reported; null if none */
            progress: unknown;
            /** @description Its failure group (see /api/failures); null unless it failed with no attempts left */
            error_group: string | null;
            /** @description Message cut at 500 characters */
            error: {
                /** @description Class of the error, for example TypeError */
                type: string;
                message: string;
            } | null;
            /** @description The execution that /retry or a bulk operation made of this failed one. Absent if none is known, and outside of lists */
            retry?: {
                /** @description Id of an execution */
                execution_id: string;
                /** @enum {string} */
                status: "pending" | "running" | "success" | "failed" | "cancelled";
            };
        };
        ExecutionAttempt: {
            attempt: number;
            started_at: string | null;
            finished_at: string | null;
            worker_id: string | null;
            error: {
                type: string;
                message: string;
                stack: string | null;
            } | null;
        };
        ExecutionCancel: {
            /** @description Id of an execution */
            execution_id: string;
            /** @description Name of a registered task */
            task_name: string;
            /**
             * @description `cancelled`, or `running` while its handler has not ended
             * @enum {string}
             */
            status: "pending" | "running" | "success" | "failed" | "cancelled";
            /** @enum {string} */
            state: "waiting" | "delayed" | "prioritized" | "waiting_children" | "paused" | "active" | "retrying" | "stalled" | "completed" | "failed" | "cancelled";
            cancelling_since: string | null;
        };
        ExecutionCancelInput: {
            /** @description Kept with the execution */
            reason?: string;
        };
        ExecutionChanges: {
            /** @description 0 runs first, then 1 (most urgent) upward */
            priority?: number;
            /**
             * Format: date-time
             * @description RFC 3339 instant, at most a year from now; in the past means now
             */
            due_at?: string;
        };
        ExecutionDeleted: {
            /** @description Id of an execution */
            execution_id: string;
            /** @description Name of a registered task */
            task_name: string;
            /** @constant */
            deleted: true;
        };
        ExecutionDetail: {
            /** @description Id of an execution */
            execution_id: string;
            /** @description Name of a registered task */
            task_name: string;
            /** @description Name of the BullMQ queue */
            queue: string;
            /** @enum {string} */
            status: "pending" | "running" | "success" | "failed" | "cancelled";
            /** @enum {string} */
            state: "waiting" | "delayed" | "prioritized" | "waiting_children" | "paused" | "active" | "retrying" | "stalled" | "completed" | "failed" | "cancelled";
            /** @description Attempts started; 0 before the first */
            attempt: number;
            max_attempts: number;
            /** @description 0 is no priority and runs first, then 1 (most urgent) upward */
            priority: number;
            /** @description The schedule that enqueued it, or null */
            schedule_id: string | null;
            /** @description The execution it repeats, or null */
            retry_of: string | null;
            /** @description The last process that ran it */
            worker_id: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            submitted_at: string;
            /** @description When its schedule planned it, jitter included; null if it was not planned, such as a run that someone started */
            planned_at: string | null;
            /** @description Start of the last attempt */
            started_at: string | null;
            finished_at: string | null;
            /** @description When its next attempt is due; null unless its `state` is `delayed` or `retrying` */
            next_attempt_at: string | null;
            /** @description Since when its handler has been asked to stop; null unless it was, and has not finished */
            cancelling_since: string | null;
            /** @description Time from when it was due (submitted, or the end of its delay) to its first start; null if unknown */
            wait_ms: number | null;
            /** @description How long the last attempt ran */
            duration_ms: number | null;
            /** @description The last value the handler reported; null if none */
            progress: unknown;
            /** @description Its failure group (see /api/failures); null unless it failed with no attempts left */
            error_group: string | null;
            error: {
                type: string;
                message: string;
                stack: string | null;
            } | null;
            /** @description Positional arguments, as enqueued */
            args: unknown[] | null;
            /** @description That someone cancelled it, or tried: a handler can succeed regardless. Null if no one did */
            cancellation: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds
                 */
                requested_at: string;
                /** @description Who cancelled it; null if unknown */
                requested_by: string | null;
                reason: string | null;
            } | null;
            /** @description The return value of the handler; null if none */
            result: unknown;
            /** @description Why `result` is not the handler's return value: JSON cannot represent it (`result` is null), or it is too large (`result` is the start of its JSON, as text). Otherwise null */
            result_problem: string | null;
            /** @description Attempts that ended, oldest first */
            attempts: components["schemas"]["ExecutionAttempt"][];
            /** @description Lines the handler logged, oldest first */
            logs: string[];
            timeline: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds
                 */
                at: string;
                /** @enum {string} */
                event: "submitted" | "due" | "started" | "lost" | "handed_back" | "attempt_failed" | "cancel_requested" | "succeeded" | "failed" | "cancelled";
                attempt: number | null;
            }[];
            /** @description Fields that were cut, because they exceed the size limit or JSON cannot represent them, for example "/args" */
            truncated: string[];
            /** @description The name that other code gave its job; null for a task of this queue app */
            job_name: string | null;
            /** @description What is not known, because the job was gone before it could be read and this was rebuilt from the events of its queue, or because its job does not have it. Fields named here are null, empty or estimated. Empty if nothing is missing */
            missing: ("args" | "logs" | "stack" | "priority" | "max_attempts" | "submitted_at" | "started_at" | "job_name")[];
            /** @description Executions that repeat this one (their `retry_of`), newest first: at most 20 finished ones, and a retry made with /retry that has not finished, unless the broker is out of reach */
            retried_by: {
                /** @description Id of an execution */
                execution_id: string;
                /** @enum {string} */
                status: "pending" | "running" | "success" | "failed" | "cancelled";
                finished_at: string | null;
            }[];
        };
        ExecutionJob: {
            /** @description Id of an execution */
            execution_id: string;
            /** @description Name of a registered task */
            task_name: string;
            /** @description Whether the broker has this run of the job. If not, all fields below are null: its queue removed the job, or it has run again. Always false for a task of this queue app */
            known: boolean;
            /** @description The parent in a flow; null if there is none */
            parent: components["schemas"]["RelatedJob"] | null;
            /** @description Its children in a flow, those that failed first, at most 50. Null if they cannot be read: the user has too few rights, or the server is older than Redis 6.2 */
            children: components["schemas"]["RelatedJob"][] | null;
            /** @description Children that are not listed; null if unknown */
            children_left: number | null;
            /** @description Null if it has no deduplication key */
            deduplication: {
                /** @description Cut at 300 characters */
                id: string;
                /** @description Whether this job holds the key, which keeps others out; null if it cannot be read */
                held: boolean | null;
                /** @description Null if it is not held, or until the job finishes */
                held_until: string | null;
            } | null;
            /** @description The trace in which the job was added; null if it was added without one */
            trace: {
                trace_id: string;
                /** @description The span that added the job */
                span_id: string;
                /** @description Where the trace can be seen: see the option `interface.traceUrl` */
                url: string | null;
            } | null;
        };
        ExecutionPage: {
            items: components["schemas"]["Execution"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
            total: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
            /** @description Executions scanned for this page; null if indexes answered */
            scanned: number | null;
            /** @description false: the scan reached its limit before the page was full. Continue with `next_cursor`, even if there are no items */
            complete: boolean;
            /**
             * @description Only with `partial`, and on the pages that follow: what could not be read when the list began to lack it
             * @enum {string}
             */
            missing?: "in_flight" | "finished";
        };
        ExecutionRetry: {
            /** @description Id of an execution */
            execution_id: string;
            /** @description Name of a registered task */
            task_name: string;
            /** @description Id of an execution */
            retry_of: string;
            /** @description The arguments that were sent, without what redaction hides; null if it runs with those of the original */
            args: unknown[] | null;
        };
        ExecutionRetryInput: {
            /** @description Positional arguments, at most 65536 bytes as JSON; absent: those of the original */
            args?: unknown[];
        };
        ExecutionWhy: {
            /** @description The facts in plain English */
            sentence: string;
            /** @description In order of weight: the first one alone would keep it from running */
            facts: components["schemas"]["WhyFact"][];
            /** @description false: the reason, or the state of the execution, is unknown */
            known: boolean;
        };
        FailureDecisionInput: {
            /** @description Kept with the group until the next decision */
            note?: string;
        };
        FailureGroup: {
            /** @description Fingerprint of an error; similar errors share it */
            error_group: string;
            /** @description Class of the error */
            type: string;
            /** @description Message of the last occurrence */
            message: string;
            /** @description Function and file of the innermost stack frame in the application's own code; null if none */
            frame: string | null;
            /** @description Failed executions in the requested range and task */
            count: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            last_seen_at: string;
            /** @description First seen in the last 24 hours */
            is_new: boolean;
            /** @description Tasks it occurs in, over all time, most failures first, at most 20 */
            tasks: {
                /** @description Name of a registered task */
                name: string;
                count: number;
            }[];
            /** @description Id of an execution */
            last_execution_id: string;
            /** @description Failures in each of the last 24 hours up to now, oldest first */
            trend: number[];
            /**
             * @description resolved: someone resolved it, or each failure was retried successfully, and nothing failed with it since. regressed: it failed again after that. open: neither
             * @enum {string}
             */
            state: "open" | "resolved" | "regressed";
            /** @description What was decided last: to resolve or to reopen it; null if nothing was */
            decision: {
                /** @enum {string} */
                action: "resolve" | "reopen";
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds
                 */
                at: string;
                /** @description The name of the signed-in user; null if unknown */
                by: string | null;
                /** @description From the last person who wrote one, if the group was then resolved automatically */
                note: string | null;
                /** @description It was resolved by itself, because each of its failures was retried successfully */
                automatic: boolean;
            } | null;
            /** @description Whether it can be resolved and reopened: not if it also occurs in tasks that you cannot see, because it is one for all */
            decidable: boolean;
        };
        FailureGroupPage: {
            items: components["schemas"]["FailureGroup"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
            total: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
        };
        FailureResolveInput: {
            /** @description Kept with the group until the next decision */
            note?: string;
            /**
             * Format: date-time
             * @description The `last_seen_at` that you know: if the group has failed again since, it is not resolved, and the answer is 409
             */
            if_last_seen_at?: string;
        };
        Finding: {
            /** @enum {string} */
            check: "prefix" | "proxy" | "broker" | "backend" | "scheduler" | "workers" | "eviction" | "persistence" | "versions";
            /** @enum {string} */
            level: "ok" | "warning" | "error";
            message: string;
            /** @description The line of configuration that fixes it; null if nothing is wrong, or if only others can fix it */
            fix: string | null;
        };
        Health: {
            healthy: boolean;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            timestamp: string;
            version: string;
            /** @description milliseconds */
            uptime_ms: number;
            components: {
                app: components["schemas"]["HealthComponent"];
                broker: components["schemas"]["HealthComponent"];
                backend: components["schemas"]["HealthComponent"];
                scheduler: components["schemas"]["HealthComponent"];
                workers: components["schemas"]["HealthComponent"];
            };
        };
        HealthComponent: {
            healthy: boolean;
            message: string;
            /** @description milliseconds */
            latency_ms?: number;
        };
        IntervalScheduleInput: {
            /** @description Name of a registered task */
            task_name: string;
            description?: string | null;
            /** @description Positional arguments, at most 65536 bytes as JSON */
            args?: unknown[];
            /** @default true */
            enabled?: boolean;
            /**
             * @description 0 is no priority and runs first, then 1 (most urgent) upward
             * @default 0
             */
            priority?: number;
            /**
             * @description IANA name
             * @default UTC
             */
            timezone?: string;
            /**
             * @default allow
             * @enum {string}
             */
            overlap?: "allow" | "skip";
            /**
             * @description After an outage: `none`, missed runs stay missed; `one`, a single late run stands for all of them
             * @default none
             * @enum {string}
             */
            catch_up?: "none" | "one";
            /**
             * @description Delays each run by 0 to this many milliseconds, always the same for the same instant
             * @default 0
             */
            jitter_ms?: number;
            /** @description No run is due before it */
            start_at?: string | null;
            /** @description No run is due after it */
            end_at?: string | null;
            interval_ms: number;
        };
        /** @description Percentiles in milliseconds, within 1 % of exact */
        Percentiles: {
            /** @description milliseconds */
            p50: number;
            /** @description milliseconds */
            p95: number;
            /** @description milliseconds */
            p99: number;
        };
        /** @description RFC 9457 problem details */
        Problem: {
            /** @description A URI reference that identifies the problem: about:blank, or the anchor of its code in the error documentation */
            type: string;
            /** @description The status in words */
            title: string;
            status: number;
            /** @description One sentence: what happened and what to do about it */
            detail: string;
            /** @description The requested path */
            instance: string;
            /** @description Stable code for programs, upper case with underscores */
            code: string;
            /** @description Problems with the input, one per field */
            errors?: {
                /** @description JSON pointer (RFC 6901) into the body, or the name of the query or path parameter */
                pointer: string;
                message: string;
                /** @description Position in the text that `pointer` names, in UTF-16 code units from 0 */
                position?: number;
            }[];
            /** @description The execution that already exists (`ALREADY_RETRIED` only) */
            execution_id?: string;
            /** @description What the filter matches now (`BULK_DRIFTED` only) */
            count?: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
            /** @description Starts the operation with this count (`BULK_DRIFTED` only) */
            token?: string;
            /** @description Identifies the error in the server's log (status 500 only) */
            request_id?: string;
        };
        /** @description Where the executions of one task wait */
        Queue: {
            /** @description Name of the BullMQ queue */
            name: string;
            /** @description Name of a registered task */
            task_name: string;
            /**
             * @description What can be changed by those who may: all; some of an existing queue, which is paused and resumed, but neither limited nor paused for a time; or none, if such a queue is only observed or its version of BullMQ is not known
             * @enum {string}
             */
            changes: "all" | "some" | "none";
            /**
             * @description paused: nothing starts until it is resumed
             * @enum {string}
             */
            state: "running" | "paused";
            /** @description null while it is not paused */
            pause: components["schemas"]["QueuePause"] | null;
            /** @description Live limits; null if there are none */
            limits: components["schemas"]["QueueLimits"] | null;
            /** @description Ready, delayed and prioritised executions, without planned runs of schedules */
            pending: number;
            running: number;
            /** @description Processes that run its task now, without those that stop; null for an external task, whose workers are not known */
            workers: number | null;
            /** @description Maximum concurrent executions over these processes, 0 for one that the broker refuses; null if unknown, because the version of one does not report it */
            concurrency: number | null;
            /** @description Percent of concurrency, or of the live limit if that is lower, that is running; null if concurrency is 0 or unknown. Over 100 while executions of a process that stops or died still count as running */
            utilisation: number | null;
            /** @description Age of the oldest execution that is due but has not started; null if none */
            oldest_pending_ms: number | null;
            /** @description In the code; a live rate in `limits` replaces it */
            rate_limit: components["schemas"]["RateLimit"] | null;
            /** @description No attempt starts before this, because of the rate limit; null when not limited */
            rate_limited_until: string | null;
            /** @description Executions finished per minute, since the start of the previous hour */
            throughput_per_minute: number;
            /** @description Executions that finished in each of the last 24 hours up to now, oldest first */
            trend: number[];
        };
        /** @description Limits that someone set while the queue runs, beside those in the code */
        QueueLimits: {
            /** @description Executions at once over the workers of all processes; null: not limited */
            concurrency: number | null;
            /** @description Starts per window over all workers; null: not limited, except by `rate_limit` */
            rate: components["schemas"]["RateLimit"] | null;
            /** @description null: other code set the limits, and nothing more is known */
            since: string | null;
            /** @description Who set them; null if unknown */
            by: string | null;
            /** @description Why; null if none was given */
            reason: string | null;
        };
        QueueLimitsInput: {
            /** @description Executions at once over the workers of all processes; null lifts the limit, absent leaves it */
            concurrency?: number | null;
            /** @description Starts per window over all workers; null lifts the limit, absent leaves it */
            rate?: {
                max: number;
                /** @description That of `rate_limit`, if the code has one */
                duration_ms: number;
            } | null;
            /** @description Shown with the queue */
            reason?: string;
        };
        /** @description Who paused a queue, when and why */
        QueuePause: {
            /** @description null: other code paused the queue, and nothing more is known */
            since: string | null;
            /** @description Who paused it; null if unknown */
            by: string | null;
            /** @description Why; null if none was given */
            reason: string | null;
            /** @description The queue resumes by itself then, at most 5 s late; null: when someone resumes it */
            until: string | null;
        };
        QueuePauseInput: {
            /** @description Shown with the queue */
            reason?: string;
            /** @description When the queue resumes by itself: in the future, at most 30 days from now. Default: never */
            until?: string | null;
        };
        RateLimit: {
            /** @description Attempts that may start in each window, across all processes */
            max: number;
            /** @description milliseconds */
            duration_ms: number;
        };
        RelatedJob: {
            /** @description Its key on the server, `prefix:queue:id`; on PostgreSQL `schema:queue:id`. Cut at 300 characters */
            key: string;
            /** @description Null: its queue is not observed */
            task_name: string | null;
            /** @description Null if its queue is not observed, or if its job was removed and how it ended is not known here */
            execution_id: string | null;
            job_name: string | null;
            /** @description Null if unknown */
            status: ("unfinished" | "success" | "failed") | null;
            /** @description Its queue does not have this run of the job any more */
            removed: boolean;
        };
        Schedule: {
            /** @description Id of a schedule */
            schedule_id: string;
            /** @enum {string} */
            schedule_type: "cron" | "interval";
            /** @description Name of a registered task */
            task_name: string;
            cron: string | null;
            interval_ms: number | null;
            /** @description IANA name */
            timezone: string;
            description: string | null;
            /** @description The schedule in words */
            human: string;
            args: unknown[];
            enabled: boolean;
            priority: number;
            /** @enum {string} */
            overlap: "allow" | "skip";
            /** @enum {string} */
            catch_up: "none" | "one";
            jitter_ms: number;
            start_at: string | null;
            end_at: string | null;
            /** @enum {string} */
            source: "api" | "code";
            /** @description Changes whenever the definition changes; for If-Match */
            version: string;
            /** @description Whether a process registers the task; false after five minutes without one */
            task_registered: boolean;
            /** @description No worker has taken a due run for over 30 s */
            overdue: boolean;
            /** @description Only for schedules from code, otherwise null */
            wins: ("live" | "code") | null;
            drift: components["schemas"]["ScheduleDrift"] | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            updated_at: string;
            /** @description null while disabled */
            next_run_at: string | null;
            last_run_at: string | null;
            last_status: ("running" | "success" | "failed") | null;
            /**
             * @description What can be changed by those who may: all; some of a schedule of an existing queue, which its owner alone creates and deletes; or none, if such a schedule is only observed
             * @enum {string}
             */
            changes: "all" | "some" | "none";
            /** @description Of a schedule of an existing queue: what cannot be known of it, or will not happen, and why; null if there is none */
            note: string | null;
            stats: components["schemas"]["ScheduleStats"];
        };
        /** @description Ignores jitter */
        ScheduleAgenda: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            to: string;
            /** @description Start of each hour, in UTC */
            hours: string[];
            /** @description Runs of all schedules, hour by hour */
            totals: number[];
            /** @description Enabled schedules with runs in these hours, most runs first */
            schedules: {
                /** @description Id of a schedule */
                schedule_id: string;
                /** @description Name of a registered task */
                task_name: string;
                description: string | null;
                total: number;
                /** @description Runs, hour by hour */
                counts: number[];
            }[];
        };
        /** @description Fields you leave out do not change. `cron` is only for cron schedules, `interval_ms` only for intervals */
        ScheduleChanges: {
            description?: string | null;
            /** @description Positional arguments, at most 65536 bytes as JSON */
            args?: unknown[];
            enabled?: boolean;
            /** @description 0 is no priority and runs first, then 1 (most urgent) upward */
            priority?: number;
            /** @description IANA name */
            timezone?: string;
            /** @enum {string} */
            overlap?: "allow" | "skip";
            /**
             * @description After an outage: `none`, missed runs stay missed; `one`, a single late run stands for all of them
             * @enum {string}
             */
            catch_up?: "none" | "one";
            /** @description Delays each run by 0 to this many milliseconds, always the same for the same instant */
            jitter_ms?: number;
            /** @description No run is due before it */
            start_at?: string | null;
            /** @description No run is due after it */
            end_at?: string | null;
            /** @description Exactly five fields: minute, hour, day of month, month, day of week */
            cron?: string;
            interval_ms?: number;
            /**
             * @description Only for schedules from code; `code` reverts all edits
             * @enum {string}
             */
            wins?: "live" | "code";
        };
        ScheduleDeleted: {
            /** @description Id of a schedule */
            schedule_id: string;
            /** @constant */
            deleted: true;
        };
        /** @description Fields where the live schedule differs from the code */
        ScheduleDrift: {
            fields: {
                /** @description Name of the field of the schedule */
                field: string;
                /** @description Value in the code */
                code: unknown;
                /** @description Live value */
                live: unknown;
                since: string | null;
                /** @description User who changed it; null if unknown */
                by: string | null;
            }[];
        };
        ScheduleMiss: {
            /** @enum {string} */
            kind: "missed" | "late";
            /** @enum {string} */
            reason: "no_worker" | "process_down" | "broker_away" | "busy" | "overlap" | "unknown";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            first_due_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            last_due_at: string;
            /** @description Number of runs in this entry */
            count: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            recorded_at: string;
            /** @description For late runs */
            late_by_ms: number | null;
            /** @description For late runs */
            execution_id: string | null;
        };
        ScheduleMissPage: {
            items: components["schemas"]["ScheduleMiss"][];
            /** @description Pass it as `cursor` for the next page; null on the last one */
            next_cursor: string | null;
            total: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
        };
        SchedulePreview: {
            /** @description The schedule in words */
            description: string;
            timezone: string;
            runs: {
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds
                 */
                at: string;
                /** @description Local time in the zone, 2026-03-29T03:30:00 */
                local: string;
                /** @description UTC offset then, +02:00 */
                offset: string;
                note: ("dst_gap" | "dst_overlap") | null;
            }[];
        };
        ScheduleRun: {
            /** @description Id of an execution */
            execution_id: string;
        };
        ScheduleStats: {
            /** @description Like `success` and `failed`, null in the response to a write while the result backend is out of reach */
            runs: number | null;
            success: number | null;
            failed: number | null;
            /** @description Due runs that did not happen, including those skipped by `overlap: skip`; null if it cannot be known, and `note` says why */
            missed: number | null;
            /** @description Runs that started more than 30 s after they were due; null if it cannot be known */
            late: number | null;
            avg_duration_ms: number | null;
        };
        SearchCompletions: {
            /** @description Start of the text that an item replaces, in UTF-16 code units */
            from: number;
            /** @description End of that text, exclusive */
            to: number;
            items: {
                text: string;
                description: string;
            }[];
        };
        Session: {
            /** @description The signed-in user, from `identify` or else basic authentication; null if unknown */
            user: string | null;
            /** @description Where to sign in; `{return}` is replaced by the percent-encoded path of a page. Null if not configured */
            sign_in_url: string | null;
            /** @description What this request may do, for example schedules:enable */
            actions: string[];
            /** @description Whether `actions` may differ for a task: ask again with its `task_name` */
            varies_by_task: boolean;
            read_only: boolean;
            /** @description Actions that need a reason, in the header `Audit-Reason` */
            reason_required: string[];
            title: string;
            /** @description Shown as a badge, for example production */
            environment: string | null;
            /** @description Address of a picture to show before the title: a path, or an http or https URL */
            logo: string | null;
            /** @description A link to show before the title; `href` is a path, or an http or https URL */
            back_link: {
                href: string;
                text: string;
            } | null;
            version: string;
            /** @description Kind of broker: redis, postgres or embedded */
            broker: string;
            /** @description Kind of result backend: redis, postgres or embedded */
            backend: string;
            /** @description The history is in memory and ends with the process, because no result backend was named */
            history_ends: boolean;
            supports: {
                /**
                 * @description How text is searched: with an index, or by scanning what the other filters leave, for a limited time per page
                 * @enum {string}
                 */
                search: "indexed" | "scanned";
                /** @description Whether executions, queues and schedules can be changed, with `task_name` those of that task; false if they are in existing queues that are only observed */
                changes: boolean;
            };
        };
        Stats: {
            /** @description Executions that succeeded or failed since the backend was created, not cancelled ones; never reduced */
            total_tasks: number;
            /** @description Percent of total_tasks; 0 while total_tasks is 0 */
            success_rate: number;
            /** @description percent, 0 to 100 */
            failure_rate: number;
            /** @description Processes that run tasks now, without those that stop; null if unknown */
            active_workers: number | null;
            /** @description Ready, delayed and prioritised executions, without planned runs of schedules; null: unknown */
            queue_size: number | null;
            executions: components["schemas"]["StatusCounts"];
            /** @description Without names of jobs, whose tasks are `part_of` another one */
            registered_tasks: number;
            schedules: {
                total: number;
                enabled: number;
                overdue: number;
            };
            /** @description Executions that succeeded or failed per minute, over the last five minutes */
            throughput_per_minute: number;
            /** @description Over the last hour; null when nothing finished */
            duration_ms: components["schemas"]["Percentiles"] | null;
            /** @description Over the last hour; null when nothing finished */
            wait_ms: components["schemas"]["Percentiles"] | null;
            /** @description Age of the oldest execution that is due but has not started; null if none */
            oldest_pending_ms: number | null;
            history: {
                success: {
                    /** @description Finished executions you can still look up */
                    kept: number;
                    /** @description When the oldest of them finished */
                    oldest_at: string | null;
                };
                failed: {
                    /** @description Finished executions you can still look up */
                    kept: number;
                    /** @description When the oldest of them finished */
                    oldest_at: string | null;
                };
                /** @description The latest finish time that retention has removed; null if none */
                pruned_before: string | null;
                /** @description The retention policy; null if nothing is ever removed */
                retention: {
                    success: {
                        /** @description null: no limit */
                        max_age_ms: number | null;
                        /** @description null: no limit */
                        max_count: number | null;
                    };
                    failed: {
                        /** @description null: no limit */
                        max_age_ms: number | null;
                        /** @description null: no limit */
                        max_count: number | null;
                    };
                } | null;
            };
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            generated_at: string;
        };
        /** @description pending and running are live; success and failed count from the creation of the result backend. Cancelled ones are in none. BullMQ does not count by the name of a job, so pending and running are null for one of several names in a queue */
        StatusCounts: {
            /** @description null: unknown */
            pending: number | null;
            /** @description null: unknown */
            running: number | null;
            success: number;
            failed: number;
        };
        Task: {
            /** @description Name of a registered task */
            name: string;
            /**
             * @description io runs on the event loop, cpu in its own process; external is an existing queue, which other code fills and works on
             * @enum {string}
             */
            type: "io" | "cpu" | "external";
            description: string | null;
            /** @description Name of the BullMQ queue */
            queue: string;
            /** @description For the jobs with one name in an existing queue: the task of the queue, which covers them. null for every other task */
            part_of: string | null;
            /** @description Attempts after the first one; null for an external task, where each execution has its own */
            retries: number | null;
            /** @description Seconds before the second attempt; see backoff for later ones. null for an external task */
            retry_delay: number | null;
            /** @description null for an external task, where each execution has its own */
            backoff: components["schemas"]["Backoff"] | null;
            rate_limit: components["schemas"]["RateLimit"] | null;
            /** @description No attempt starts before this, because of the rate limit; null when not limited */
            rate_limited_until: string | null;
            timeout_ms: number | null;
            /** @description Processes that run this task now, without those that stop; null for an external task, whose workers are not known */
            workers: number | null;
            /** @description Schedules of this task; null while those of its queue cannot be read, or if it has more than are shown */
            schedules: number | null;
            executions: components["schemas"]["StatusCounts"];
            /** @description percent, 0 to 100 */
            success_rate: number;
            /** @description Over the last 24 hours; null when nothing finished */
            duration_ms: components["schemas"]["Percentiles"] | null;
            last_execution: {
                /** @description Id of an execution */
                execution_id: string;
                /** @enum {string} */
                status: "pending" | "running" | "success" | "failed" | "cancelled";
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds
                 */
                finished_at: string;
            } | null;
        };
        TaskDetail: {
            /** @description Name of a registered task */
            name: string;
            /**
             * @description io runs on the event loop, cpu in its own process; external is an existing queue, which other code fills and works on
             * @enum {string}
             */
            type: "io" | "cpu" | "external";
            description: string | null;
            /** @description Name of the BullMQ queue */
            queue: string;
            /** @description For the jobs with one name in an existing queue: the task of the queue, which covers them. null for every other task */
            part_of: string | null;
            /** @description Attempts after the first one; null for an external task, where each execution has its own */
            retries: number | null;
            /** @description Seconds before the second attempt; see backoff for later ones. null for an external task */
            retry_delay: number | null;
            /** @description null for an external task, where each execution has its own */
            backoff: components["schemas"]["Backoff"] | null;
            rate_limit: components["schemas"]["RateLimit"] | null;
            /** @description No attempt starts before this, because of the rate limit; null when not limited */
            rate_limited_until: string | null;
            timeout_ms: number | null;
            /** @description Processes that run this task now, without those that stop; null for an external task, whose workers are not known */
            workers: number | null;
            /** @description Schedules of this task; null while those of its queue cannot be read, or if it has more than are shown */
            schedules: number | null;
            executions: components["schemas"]["StatusCounts"];
            /** @description percent, 0 to 100 */
            success_rate: number;
            /** @description Over the last 24 hours; null when nothing finished */
            duration_ms: components["schemas"]["Percentiles"] | null;
            last_execution: {
                /** @description Id of an execution */
                execution_id: string;
                /** @enum {string} */
                status: "pending" | "running" | "success" | "failed" | "cancelled";
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds
                 */
                finished_at: string;
            } | null;
            /** @description Maximum concurrent executions in each process */
            concurrency: number | null;
            /** @description Over the last 24 hours; null when nothing finished */
            wait_ms: components["schemas"]["Percentiles"] | null;
            /** @description Age of the oldest execution that is due but has not started; null if none */
            oldest_pending_ms: number | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            last_seen_at: string;
        };
        TaskRun: {
            /** @description Id of an execution */
            execution_id: string;
            /** @description Name of a registered task */
            task_name: string;
        };
        TaskRunInput: {
            /** @description Positional arguments, at most 65536 bytes as JSON */
            args?: unknown[];
            /**
             * @description 0 is no priority and runs first, then 1 (most urgent) upward
             * @default 0
             */
            priority?: number;
            /**
             * @description Milliseconds before it may run
             * @default 0
             */
            delay_ms?: number;
        };
        /** @description What succeeded and failed over time. Cancelled executions are neither, so no point counts them */
        Timeseries: {
            /** @enum {string} */
            metric: "executions" | "duration_ms" | "wait_ms";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            from: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            to: string;
            step_ms: number;
            /** @enum {string} */
            source: "minutes" | "hours" | "days";
            /** @description One per span, oldest first, without gaps */
            points: components["schemas"]["TimeseriesPoint"][];
        };
        TimeseriesPoint: {
            /**
             * Format: date-time
             * @description Start of the span
             */
            at: string;
            success: number | null;
            failed: number | null;
            /** @description Executions that succeeded or failed per minute. An open span counts only its elapsed part; null during the first minute */
            throughput_per_minute: number | null;
            /** @description Only for the metrics duration_ms and wait_ms; null if nothing was measured */
            p50?: number | null;
            /** @description Only for the metrics duration_ms and wait_ms; null if nothing was measured */
            p95?: number | null;
            /** @description Only for the metrics duration_ms and wait_ms; null if nothing was measured */
            p99?: number | null;
            /** @description The span is not over, so its numbers still grow */
            open: boolean;
            /** @description Why the numbers are null: `before_ledger`, the result backend did not exist yet; `not_kept`, such short spans are no longer kept */
            gap: ("before_ledger" | "not_kept") | null;
        };
        /** @description Why an execution does not run, or that it does */
        WhyFact: {
            /** @enum {string} */
            kind: "finished";
            /** @enum {string} */
            status: "success" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            finished_at: string;
        } | {
            /** @enum {string} */
            kind: "running";
            since: string | null;
            /** @description Its process; null if unknown */
            worker_id: string | null;
            /** @description Its process extends this twice in that time */
            locked_until: string | null;
        } | {
            /** @enum {string} */
            kind: "cancelling";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            since: string;
            by: string | null;
        } | {
            /** @enum {string} */
            kind: "worker_lost";
            /** @description Its process; null if unknown */
            worker_id: string | null;
            last_seen_at: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            locked_until: string;
        } | {
            /** @enum {string} */
            kind: "stalled";
            /** @description Its process; null if unknown */
            worker_id: string | null;
        } | {
            /** @enum {string} */
            kind: "broker_unavailable";
            /** @enum {string} */
            reason: "unreachable" | "refused";
        } | {
            /** @enum {string} */
            kind: "backend_unavailable";
            /** @enum {string} */
            reason: "unreachable" | "refused";
        } | {
            /** @enum {string} */
            kind: "waiting_children";
            children: number | null;
        } | {
            /** @enum {string} */
            kind: "delayed";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            until: string;
            /** @description The schedule that planned it */
            schedule_id: string | null;
        } | {
            /** @enum {string} */
            kind: "retrying";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            until: string;
            attempt: number;
            max_attempts: number;
        } | {
            /** @enum {string} */
            kind: "paused";
            pause: components["schemas"]["QueuePause"];
        } | {
            /** @enum {string} */
            kind: "no_worker";
        } | {
            /** @enum {string} */
            kind: "workers_unavailable";
            stopping: number;
            silent: number;
            refused: number;
        } | {
            /** @enum {string} */
            kind: "concurrency_limit";
            limit: number;
            running: number;
        } | {
            /** @enum {string} */
            kind: "rate_limited";
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            until: string;
            max: number;
            duration_ms: number | null;
        } | {
            /** @enum {string} */
            kind: "behind";
            ahead: {
                value: number;
                /**
                 * @description at_least: counting stopped at this number
                 * @enum {string}
                 */
                relation: "exact" | "at_least";
            };
            /** @description Executions of its task that finished per minute, over the last five; null if none did, or while nothing can start */
            per_minute: number | null;
            /** @description Until its turn at this pace; null if unknown */
            estimate_ms: number | null;
        } | {
            /** @enum {string} */
            kind: "workers_busy";
            workers: number;
            concurrency: number;
        } | {
            /** @enum {string} */
            kind: "unknown";
            workers: number | null;
            free: number | null;
        };
        /** @description A process that runs tasks */
        Worker: {
            /** @description Id of the process */
            worker_id: string;
            /**
             * @description alive: it takes executions. refused: the broker refuses its workers. stopping: it takes no more executions. silent: its heartbeats ended although it did not stop; it is listed for an hour
             * @enum {string}
             */
            state: "alive" | "refused" | "stopping" | "silent";
            /** @description Whether it has no problems */
            healthy: boolean;
            /** @description What is wrong with it, in sentences */
            problems: string[];
            /** @description Host name; null if unknown, because its version does not report it */
            host: string | null;
            /** @description Process id; null if unknown, because its version does not report it */
            pid: number | null;
            /** @description The application it belongs to; null if unknown, because its version does not report it */
            app: string | null;
            /** @description Version of fastify-task-dashboard; null if unknown, because its version does not report it */
            version: string | null;
            /** @description Version of Node; null if unknown, because its version does not report it */
            node_version: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds
             */
            started_at: string;
            /** @description When it last reported, which is every 5 seconds. What it runs is from then; null if unknown, because its version does not report it */
            last_seen_at: string | null;
            /** @description How many tasks it can run */
            task_count: number;
            /** @description Those that run most first, at most 50 */
            tasks: {
                /** @description Name of a registered task */
                name: string;
                /** @description Maximum concurrent executions in this process; null if unknown, because its version does not report it */
                concurrency: number | null;
                /** @description Executions it runs; null if unknown, because its version does not report it */
                running: number | null;
            }[];
            /** @description Executions it runs; null if unknown, because its version does not report it */
            running: number | null;
            /** @description Those that have run for longest, at most 10; null if unknown, because its version does not report it */
            executions: {
                /** @description Id of an execution */
                execution_id: string;
                /** @description Name of a registered task */
                task_name: string;
                started_at: string | null;
            }[] | null;
            /** @description Resident memory of the process, without the processes of `cpu` tasks; null if unknown, because its version does not report it */
            memory_bytes: number | null;
            /** @description How far its clock is ahead of the broker's, in milliseconds; negative if behind; null if unknown, because its version does not report it */
            clock_ahead_ms: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It works; `degraded` means that something needs attention */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not work */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getDoctor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The findings, with the line of configuration that fixes each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Doctor"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDoctorStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics, at most a second old */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTimeseries: {
        parameters: {
            query?: {
                metric?: "executions" | "duration_ms" | "wait_ms";
                /** @description Name of a registered task */
                task_name?: string;
                window?: "15m" | "1h" | "6h" | "24h" | "7d" | "30d" | "90d" | "1y";
                /** @description Default: fits the window. At most 1500 points */
                step?: "1m" | "5m" | "15m" | "30m" | "1h" | "3h" | "6h" | "12h" | "1d" | "3d" | "7d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The points, at most a second old */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeseries"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTasks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tasks, by name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"][];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a registered task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskDetail"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 200 printable ASCII characters, a new key for each new request. A repeat with the same key and body gets the same response for 24 hours and changes nothing */
                "idempotency-key"?: string;
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Name of a registered task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TaskRunInput"];
            };
        };
        responses: {
            /** @description The execution was enqueued */
            202: {
                headers: {
                    /** @description Address of the execution, relative to the request */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskRun"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used for another request, or its first request is still in progress */
            409: {
                headers: {
                    /** @description Seconds to wait while it is in progress */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTaskExecutions: {
        parameters: {
            query?: {
                status?: "pending" | "running" | "success" | "failed" | "cancelled";
                /** @description Id of a schedule */
                schedule_id?: string;
                /** @description Id of a process that runs tasks */
                worker_id?: string;
                /** @description Fingerprint of an error; similar errors share it */
                error_group?: string;
                /** @description Only finished executions whose last attempt ran at least this long */
                min_duration_ms?: number;
                /** @description In the search language: words of errors and arguments, and filters such as `status:failed took:>5s` */
                search?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                from?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                to?: string;
                /** @description By the time of the last change: finished, started or submitted */
                order?: "newest" | "oldest";
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Name of a registered task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                status?: "pending" | "running" | "success" | "failed" | "cancelled";
                /** @description Id of a schedule */
                schedule_id?: string;
                /** @description Id of a process that runs tasks */
                worker_id?: string;
                /** @description Fingerprint of an error; similar errors share it */
                error_group?: string;
                /** @description Only finished executions whose last attempt ran at least this long */
                min_duration_ms?: number;
                /** @description In the search language: words of errors and arguments, and filters such as `status:failed took:>5s` */
                search?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                from?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                to?: string;
                /** @description By the time of the last change: finished, started or submitted */
                order?: "newest" | "oldest";
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Name of a registered task */
                task_name?: string;
                /** @description Instead of an error while one of the two stores is unavailable, a list of what the other one has */
                partial?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionDetail"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was deleted, or retention has removed executions of this age; the detail says up to which time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of an execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution was deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionDeleted"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was deleted, or retention has removed executions of this age; the detail says up to which time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of an execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutionChanges"];
            };
        };
        responses: {
            /** @description The changed execution */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionDetail"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was deleted, or retention has removed executions of this age; the detail says up to which time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getExecutionWhy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known, also of one that runs or has finished, and while a store is out of reach */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionWhy"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was deleted, or retention has removed executions of this age; the detail says up to which time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getExecutionJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of an execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known of the job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionJob"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was deleted, or retention has removed executions of this age; the detail says up to which time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 200 printable ASCII characters, a new key for each new request. A repeat with the same key and body gets the same response for 24 hours and changes nothing */
                "idempotency-key"?: string;
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of an execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExecutionRetryInput"];
            };
        };
        responses: {
            /** @description The retry was enqueued */
            202: {
                headers: {
                    /** @description Address of the retry, relative to the request */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionRetry"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was deleted, or retention has removed executions of this age; the detail says up to which time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 200 printable ASCII characters, a new key for each new request. A repeat with the same key and body gets the same response for 24 hours and changes nothing */
                "idempotency-key"?: string;
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of an execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExecutionCancelInput"];
            };
        };
        responses: {
            /** @description It is cancelled, or will be when its handler ends */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionCancel"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It was deleted, or retention has removed executions of this age; the detail says up to which time */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSearchCompletions: {
        parameters: {
            query: {
                /** @description In the search language: words of errors and arguments, and filters such as `status:failed took:>5s` */
                search: string;
                /** @description Caret position in UTF-16 code units; values past the end mean the end */
                position: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The completions, best first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchCompletions"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFailures: {
        parameters: {
            query?: {
                /** @description Name of a registered task */
                task_name?: string;
                /** @description Fingerprint of an error; similar errors share it */
                error_group?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                from?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                to?: string;
                /** @description Default all. `open` lists what is not resolved: regressed groups, too */
                state?: "open" | "resolved" | "regressed" | "all";
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of groups */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureGroupPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveFailureGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Fingerprint of an error; similar errors share it */
                group: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FailureResolveInput"];
            };
        };
        responses: {
            /** @description The failure group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureGroup"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reopenFailureGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Fingerprint of an error; similar errors share it */
                group: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FailureDecisionInput"];
            };
        };
        responses: {
            /** @description The failure group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureGroup"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBulkOperations: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of operations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createBulkOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 200 printable ASCII characters, a new key for each new request. A repeat with the same key and body gets the same response for 24 hours and changes nothing */
                "idempotency-key"?: string;
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description The dry run: nothing was changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkPreview"];
                };
            };
            /** @description It was accepted */
            202: {
                headers: {
                    /** @description Address of the operation, relative to the request */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBulkOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a bulk operation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBulkItems: {
        parameters: {
            query?: {
                /** @description Only these. A page may then have fewer items than `limit` although there are more: go on with `next_cursor` */
                outcome?: "done" | "skipped" | "failed" | "undone";
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of a bulk operation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkItemPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    suspendBulkOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a bulk operation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeBulkOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a bulk operation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    abortBulkOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a bulk operation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undoBulkOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a bulk operation */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOperation"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                enabled_only?: boolean;
                /** @description Name of a registered task */
                task_name?: string;
                /** @description Part of the id, task, cron or description, ignoring case */
                search?: string;
                limit?: number;
                cursor?: string;
                /** @description `created`: oldest first. `next_run`: soonest first, those without a next run last; a single page, without `cursor` */
                order?: "created" | "next_run";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedules */
            200: {
                headers: {
                    /** @description Address of the next page, relative to the request; absent on the last page */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"][];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewSchedule: {
        parameters: {
            query?: {
                cron?: string;
                interval_ms?: number;
                /** @description IANA name */
                timezone?: string;
                count?: number;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                from?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchedulePreview"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getScheduleAgenda: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                from?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agenda */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleAgenda"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createCronSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 200 printable ASCII characters, a new key for each new request. A repeat with the same key and body gets the same response for 24 hours and changes nothing */
                "idempotency-key"?: string;
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CronScheduleInput"];
            };
        };
        responses: {
            /** @description The schedule */
            201: {
                headers: {
                    /** @description Address of the schedule, relative to the request */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used for another request, or its first request is still in progress */
            409: {
                headers: {
                    /** @description Seconds to wait while it is in progress */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createIntervalSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 200 printable ASCII characters, a new key for each new request. A repeat with the same key and body gets the same response for 24 hours and changes nothing */
                "idempotency-key"?: string;
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntervalScheduleInput"];
            };
        };
        responses: {
            /** @description The schedule */
            201: {
                headers: {
                    /** @description Address of the schedule, relative to the request */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key was used for another request, or its first request is still in progress */
            409: {
                headers: {
                    /** @description Seconds to wait while it is in progress */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule was deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleDeleted"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
                /** @description The `ETag` of the schedule, or `*`. If the schedule has changed since, the response is 409 */
                "if-match"?: string;
            };
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleChanges"];
            };
        };
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    /** @description Its version, for If-Match */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 200 printable ASCII characters, a new key for each new request. A repeat with the same key and body gets the same response for 24 hours and changes nothing */
                "idempotency-key"?: string;
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution was enqueued */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the resource does not allow this; the detail says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScheduleExecutions: {
        parameters: {
            query?: {
                status?: "pending" | "running" | "success" | "failed" | "cancelled";
                /** @description Id of a process that runs tasks */
                worker_id?: string;
                /** @description Fingerprint of an error; similar errors share it */
                error_group?: string;
                /** @description Only finished executions whose last attempt ran at least this long */
                min_duration_ms?: number;
                /** @description In the search language: words of errors and arguments, and filters such as `status:failed took:>5s` */
                search?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                from?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                to?: string;
                /** @description By the time of the last change: finished, started or submitted */
                order?: "newest" | "oldest";
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScheduleMisses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All kept entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleMissPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    enableSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Id of a schedule */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workers, by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Worker"][];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listQueues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queues, by task */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"][];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseQueue: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Name of the queue or of its task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QueuePauseInput"];
            };
        };
        responses: {
            /** @description The queue, with its pause */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeQueue: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Name of the queue or of its task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queue */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limitQueue: {
        parameters: {
            query?: never;
            header?: {
                /** @description Why, for the audit log: 1 to 500 characters, percent-encoded UTF-8 (`encodeURIComponent`) */
                "audit-reason"?: string;
            };
            path: {
                /** @description Name of the queue or of its task */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QueueLimitsInput"];
            };
        };
        responses: {
            /** @description The queue, with its limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing has this name or id */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Exactly as in the entries */
                actor?: string;
                /** @description For example schedules:delete */
                action?: string;
                outcome?: "done" | "refused" | "failed" | "unknown" | "in_progress";
                /** @description Name of a registered task */
                task_name?: string;
                /** @description Id of a schedule */
                schedule_id?: string;
                /** @description Writes about this execution, and the write that created it */
                execution_id?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                from?: string;
                /** @description RFC 3339 instant, for example 2026-11-20T09:00:00Z */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Not modified since the response with this ETag */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: {
                /** @description Name of a registered task */
                task_name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The input is not valid */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Credentials are missing or wrong (with `auth`, or by the host) */
            401: {
                headers: {
                    /** @description The challenge: `Basic` */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The policy does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The address is too long */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many writes, wrong passwords or stored Idempotency-Keys */
            429: {
                headers: {
                    /** @description Seconds to wait, if that helps */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug, logged under the request id in the body; or `STORE_REFUSED`: a datastore refuses until someone fixes the cause, which the detail names */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The broker or the result backend is out of reach; try again later. `UNCONFIRMED`: the write may have happened */
            503: {
                headers: {
                    /** @description Seconds to wait */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
