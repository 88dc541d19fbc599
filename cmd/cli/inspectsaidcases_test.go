package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"darkroom/jobs/lookup"
)

// saidCase is one answer of a gateway, and the state that it means.
type saidCase struct {
	name       string
	status     int // of HTTP, 0 for 200
	header     map[string]string
	body       string
	everywhere bool // on all paths, not on the format's alone
	state      string
}

// sent is the answer as it stands in a golden.
func (c saidCase) sent() string {
	head := fmt.Sprintf("HTTP %d", cmp.Or(c.status, 200))
	for _, k := range []string{"Content-Type", "Retry-After"} {
		if v := c.header[k]; v != "" {
			head += ", " + k + ": " + v
		}
	}
	return head + "\n" + strings.TrimSpace(c.body)
}

// saidFormat is a format with its query path, and what it answers.
type saidFormat struct {
	name, path, id string
	own            []saidCase
}

// cases are the format's own answers, and the errors that are alike in all.
func (f saidFormat) cases() []saidCase {
	html := map[string]string{"Content-Type": "text/html; charset=utf-8"}
	all := []saidCase{
		{name: "not found", status: 404, body: `{"error":{"code":"not_found","message":"no such task"}}`, state: lookup.NotFound},
		{name: "not found, as other gateways say it", status: 400, body: `{"code":"task_not_exist","message":"task_not_exist","data":null}`, state: lookup.NotFound},
		{name: "unauthorised: our key", status: 401, everywhere: true, body: `{"error":{"code":"","message":"Invalid token","type":"new_api_error"}}`, state: lookup.NotKnown},
		{name: "unauthorised: the gateway's key at its vendor", status: 401, body: `{"code":"fail_to_fetch_task","message":"{\"error\":{\"code\":\"invalid_api_key\",\"message\":\"Incorrect API key provided\"}}","data":null}`, state: lookup.NotKnown},
		{name: "forbidden", status: 403, body: `{"error":{"code":"AccessDenied","message":"this group may not use the model"}}`, state: lookup.NotKnown},
		{name: "rate limited, with a time", status: 429, header: map[string]string{"Retry-After": "1"}, everywhere: true, body: `{"error":{"code":"rate_limit_exceeded","message":"slow down"}}`, state: lookup.NotKnown},
		{name: "rate limited, without a time", status: 429, body: `{"code":"fail_to_fetch_task","message":"当前分组上游负载已饱和，请稍后再试","data":null}`, everywhere: true, state: lookup.NotKnown},
		{name: "server error", status: 500, body: `{"error":{"code":"internal_error","message":"queue unavailable"}}`, state: lookup.NotKnown},
		{name: "HTML page at 200", header: html, body: "<!doctype html><html><head><title>Sign in · Render Farm</title></head><body><h1>Welcome back</h1></body></html>", state: lookup.NotFound},
		{name: "HTML page at 200, on every path", header: html, everywhere: true, body: "<!doctype html><html><head><title>Sign in · Render Farm</title></head><body><h1>Welcome back</h1></body></html>", state: lookup.NotKnown},
		{name: "HTML page at 502", status: 502, header: html, body: "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>", state: lookup.NotKnown},
	}
	return slices.Concat(f.own, all)
}

// saidFormats are the formats whose tasks can be asked for, with answers as the interface document and
// other public gateways have them.
func saidFormats() []saidFormat {
	return []saidFormat{
		{"videos", "/v1/videos/{id}", "video_7f3a", []saidCase{
			{name: "queued", body: `{"id":"video_7f3a","object":"video","status":"queued","progress":0,"model":"famI-omni","created_at":1772366400}`, state: "queued"},
			{name: "running", body: `{"id":"video_7f3a","status":"in_progress","progress":42,"model":"famI-omni","created_at":1772366400}`, state: "running"},
			{name: "running for long", body: `{"id":"video_7f3a","status":"in_progress","progress":42,"model":"famI-omni","created_at":1772362800}`, state: "running"},
			{name: "completed", body: `{"id":"video_7f3a","status":"completed","progress":100,"model":"famI-omni","created_at":1772366400,"completed_at":1772366490,"video_url":"https://media.example/a.mp4"}`, state: "completed"},
			{name: "completed, no result named", body: `{"id":"video_7f3a","status":"completed"}`, state: "completed"},
			{name: "failed", body: `{"id":"video_7f3a","status":"failed","model":"famI-omni","created_at":1772366400,"error":{"code":"content_policy_violation","message":"the prompt was refused"}}`, state: "failed"},
			{name: "failed, not listed", body: `{"id":"video_7f3a","status":"failed","error":{"code":"E4711","message":"frame 7 is cursed"}}`, state: "failed"},
			{name: "failed, without a reason", body: `{"id":"video_7f3a","status":"failed","error":null}`, state: "failed"},
			{name: "failed, the reason where a URL belongs", body: `{"id":"video_7f3a","status":"failed","result_url":"upstream quota exceeded"}`, state: "failed"},
			{name: "unknown: a term that nobody listed", body: `{"id":"video_7f3a","status":"reticulating"}`, state: "unknown"},
			{name: "unknown, as other gateways say at first", body: `{"id":"video_7f3a","task_id":"video_7f3a","object":"video","status":"unknown","progress":0,"created_at":1772366400}`, state: "unknown"},
			{name: "cancelled", body: `{"id":"video_7f3a","status":"cancelled","created_at":1772366400}`, state: "failed"},
			{name: "no status at all", body: `{"id":"video_7f3a"}`, state: "unknown"},
			{name: "wrong types", body: `{"id":"video_7f3a","status":"in_progress","progress":"42%","created_at":"1772366400","seconds":4,"error":[],"metadata":"x"}`, state: "running"},
			{name: "a status that is no text", body: `{"id":"video_7f3a","status":3,"video_url":["https://media.example/a.mp4"]}`, state: "unknown"},
			{name: "times in milliseconds", body: `{"id":"video_7f3a","status":"in_progress","created_at":1772366400000}`, state: "running"},
			{name: "a time without a zone", body: `{"id":"video_7f3a","status":"in_progress","created_at":"2026-03-01 12:00:00"}`, state: "running"},
			{name: "another task", body: `{"id":"video_other","status":"completed","video_url":"https://media.example/b.mp4"}`, state: lookup.NotKnown},
		}},
		{"content", "/api/v3/contents/generations/tasks/{id}", "cgt-20260301120000-7f3a", []saidCase{
			{name: "queued", body: `{"id":"cgt-20260301120000-7f3a","model":"famD-1-5-pro-251215","status":"queued","created_at":1772366400,"updated_at":1772366400}`, state: "queued"},
			{name: "running", body: `{"id":"cgt-20260301120000-7f3a","model":"famD-1-5-pro-251215","status":"running","created_at":1772366400,"updated_at":1772366430,"items":"[{\"status\":\"running\",\"progress\":40}]"}`, state: "running"},
			{name: "completed", body: `{"id":"cgt-20260301120000-7f3a","model":"famD-1-5-pro-251215","status":"succeeded","created_at":1772366400,"updated_at":1772366490,"content":{"video_url":"https://media.example/a.mp4","last_frame_url":"https://media.example/a.png"},"usage":{"completion_tokens":108900,"total_tokens":108900}}`, state: "completed"},
			{name: "failed", body: `{"id":"cgt-20260301120000-7f3a","model":"famD-1-5-pro-251215","status":"failed","created_at":1772366400,"updated_at":1772366430,"error":{"code":"SensitiveContentDetected","message":"the image may hold a person"}}`, state: "failed"},
			{name: "failed, a refinement of a listed code", body: `{"id":"cgt-20260301120000-7f3a","status":"failed","error":{"code":"SensitiveContentDetected.Image","message":"the image may hold a person"}}`, state: "failed"},
			{name: "failed, not listed", body: `{"id":"cgt-20260301120000-7f3a","status":"failed","error":{"code":"E4711","message":"frame 7 is cursed"}}`, state: "failed"},
			{name: "unknown: a term that nobody listed", body: `{"id":"cgt-20260301120000-7f3a","status":"simmering"}`, state: "unknown"},
			{name: "expired", body: `{"id":"cgt-20260301120000-7f3a","status":"expired","created_at":1772366400}`, state: "failed"},
			{name: "wrong types", body: `{"id":"cgt-20260301120000-7f3a","status":"running","created_at":"1772366400","items":[{"status":"running","progress":"40%"}],"usage":[],"content":null}`, state: "running"},
		}},
		{"ent", "/ent/v2/tasks/{id}/creations", "700000000001", []saidCase{
			{name: "queued", body: `{"id":"700000000001","state":"created","err_code":"","creations":[]}`, state: "queued"},
			{name: "queued, the other term", body: `{"id":"700000000001","state":"queueing","err_code":"","creations":[]}`, state: "queued"},
			{name: "running", body: `{"id":"700000000001","state":"processing","err_code":"","creations":null}`, state: "running"},
			{name: "completed", body: `{"id":"700000000001","state":"success","err_code":"","creations":[{"id":"c1","url":"https://media.example/a.mp4?Expires=1772370000&Signature=x","cover_url":"https://media.example/a.png","watermarked_url":""}]}`, state: "completed"},
			{name: "completed, the address has ended", body: `{"id":"700000000001","state":"success","err_code":"","creations":[{"id":"c1","url":"https://media.example/a.mp4?Expires=1772362800&Signature=x","cover_url":"","watermarked_url":""}]}`, state: "completed"},
			{name: "failed", body: `{"id":"700000000001","state":"failed","err_code":"TaskPromptPolicyViolation","creations":[]}`, state: "failed"},
			{name: "failed, not listed", body: `{"id":"700000000001","state":"failed","err_code":"E4711","creations":[]}`, state: "failed"},
			{name: "unknown: a term that nobody listed", body: `{"id":"700000000001","state":"napping","err_code":"","creations":[]}`, state: "unknown"},
			{name: "wrong types", body: `{"id":700000000001,"state":"processing","err_code":0,"creations":"[]","payload":{}}`, state: "running"},
		}},
		{"tasks", "/api/v1/tasks/{id}", "0190c7e2-1111-4abc-8def-0123456789ab", []saidCase{
			{name: "queued", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"PENDING","submit_time":"2026-03-01 12:00:00.000"}}`, state: "queued"},
			{name: "running", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"RUNNING","submit_time":"2026-03-01 12:00:00.000","scheduled_time":"2026-03-01 12:00:04.000"}}`, state: "running"},
			{name: "completed", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"SUCCEEDED","submit_time":"2026-03-01 12:00:00.000","scheduled_time":"2026-03-01 12:00:04.000","end_time":"2026-03-01 12:01:30.000","video_url":"https://media.example/a.mp4"},"usage":{"duration":5,"SR":720,"video_count":1}}`, state: "completed"},
			{name: "failed", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"FAILED","code":"DataInspectionFailed","message":"the input may be inappropriate"}}`, state: "failed"},
			{name: "failed, not listed", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"FAILED","code":"E4711","message":"frame 7 is cursed"}}`, state: "failed"},
			{name: "UNKNOWN, as documented", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"UNKNOWN"}}`, state: lookup.NotFound},
			{name: "unknown: a term that nobody listed", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"PONDERING"}}`, state: "unknown"},
			{name: "cancelled", body: `{"request_id":"r-1","output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"CANCELED"}}`, state: "failed"},
			{name: "wrong types", body: `{"request_id":7,"output":{"task_id":"0190c7e2-1111-4abc-8def-0123456789ab","task_status":"RUNNING","submit_time":1772366400000,"video_url":{}},"usage":"none"}`, state: "running"},
			{name: "a flat error", status: 400, body: `{"code":"InvalidParameter","message":"the size is not supported","request_id":"r-1"}`, state: lookup.NotKnown},
		}},
		{"status", "/famF/v1/videos/image2video/{id}", "8412007", []saidCase{
			{name: "queued", body: `{"task_id":"8412007","status":"queued"}`, state: "queued"},
			{name: "running", body: `{"task_id":"8412007","status":"in_progress"}`, state: "running"},
			{name: "completed", body: `{"task_id":"8412007","status":"completed","url":"https://media.example/a.mp4","format":"mp4","metadata":{"duration":5.1,"fps":30,"width":1280,"height":720,"seed":7}}`, state: "completed"},
			{name: "failed", body: `{"task_id":"8412007","status":"failed","error":{"code":1102,"message":"the resource pack is used up"}}`, state: "failed"},
			{name: "failed, not listed", body: `{"task_id":"8412007","status":"failed","error":{"code":4711,"message":"frame 7 is cursed"}}`, state: "failed"},
			{name: "failed, the other shape", body: `{"task_id":"8412007","status":"failed","error":{"message":"the prompt was refused","type":"x","param":"prompt","code":"content_policy_violation"}}`, state: "failed"},
			{name: "failed, in an envelope", body: `{"code":"success","message":"","data":{"task_id":"8412007","status":"FAILURE","fail_reason":"task failed","result_url":"task failed","progress":"100%","submit_time":1772366400,"start_time":1772366405,"finish_time":1772366430}}`, state: "failed"},
			{name: "unknown: a term that nobody listed", body: `{"task_id":"8412007","status":"marinating"}`, state: "unknown"},
			{name: "wrong types", body: `{"task_id":8412007,"status":"in_progress","metadata":"none","error":""}`, state: "running"},
		}},
		{"music", "/famN/fetch/{id}", "task_7f3a", []saidCase{
			{name: "queued", body: `{"code":"success","message":"","data":{"task_id":"task_7f3a","action":"MUSIC","status":"QUEUED","progress":"0%","submit_time":1772366400,"data":null}}`, state: "queued"},
			{name: "queued, not started", body: `{"code":"success","message":"","data":{"task_id":"task_7f3a","status":"NOT_START","progress":"0%","submit_time":1772366400}}`, state: "queued"},
			{name: "running", body: `{"code":"success","message":"","data":{"task_id":"task_7f3a","status":"IN_PROGRESS","progress":"30%","submit_time":1772366400,"start_time":1772366405,"finish_time":0}}`, state: "running"},
			{name: "completed", body: `{"code":"success","message":"","data":{"task_id":"task_7f3a","status":"SUCCESS","progress":"100%","submit_time":1772366400,"start_time":1772366405,"finish_time":1772366460,"data":[{"id":"s1","title":"Salt Flats","status":"complete","audio_url":"https://media.example/a.mp3","image_url":"https://media.example/a.png","metadata":{"prompt":"White as far as far"}}]}}`, state: "completed"},
			{name: "failed", body: `{"code":"success","message":"","data":{"task_id":"task_7f3a","status":"FAILURE","progress":"100%","fail_reason":"generation_failed: no voice","submit_time":1772366400}}`, state: "failed"},
			{name: "unknown, as other gateways say it", body: `{"code":"success","message":"","data":{"task_id":"task_7f3a","status":"UNKNOWN","progress":"0%"}}`, state: "unknown"},
			{name: "unknown: a term that nobody listed", body: `{"code":"success","message":"","data":{"task_id":"task_7f3a","status":"HUMMING"}}`, state: "unknown"},
			{name: "wrong types", body: `{"code":0,"message":null,"data":{"task_id":"task_7f3a","status":"IN_PROGRESS","progress":30,"submit_time":"1772366400","data":"[]"}}`, state: "running"},
		}},
		{"responses", "/v1/responses/{id}", "resp_7f3a", []saidCase{
			{name: "queued", body: `{"id":"resp_7f3a","object":"response","created_at":1772366400,"status":"queued","model":"famL","output":[],"error":null}`, state: "queued"},
			{name: "running", body: `{"id":"resp_7f3a","object":"response","created_at":1772366400,"status":"in_progress","model":"famL","output":[{"id":"ig_1","type":"image_generation_call","status":"in_progress"}]}`, state: "running"},
			{name: "completed", body: `{"id":"resp_7f3a","object":"response","created_at":1772366400,"status":"completed","model":"famL","output":[{"id":"ig_1","type":"image_generation_call","status":"completed","result":null,"url":"https://media.example/a.png"}]}`, state: "completed"},
			{name: "failed", body: `{"id":"resp_7f3a","object":"response","created_at":1772366400,"status":"failed","model":"famL","error":{"code":"content_policy_violation","message":"the prompt was refused"},"output":[]}`, state: "failed"},
			{name: "failed, not listed", body: `{"id":"resp_7f3a","object":"response","status":"failed","error":{"code":"E4711","message":"frame 7 is cursed"},"output":[]}`, state: "failed"},
			{name: "unknown: a term that nobody listed", body: `{"id":"resp_7f3a","object":"response","status":"developing","output":[]}`, state: "unknown"},
			{name: "incomplete", body: `{"id":"resp_7f3a","object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}`, state: "failed"},
			{name: "wrong types", body: `{"id":"resp_7f3a","object":"response","created_at":"1772366400","status":"in_progress","output":"none","temperature":"1"}`, state: "running"},
		}},
	}
}
