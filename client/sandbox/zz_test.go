package sandbox
import ("image/color";"testing";"time")
func TestZZ(t *testing.T) {
	dir := t.TempDir()
	n := time.Now()
	lap := func(s string) { t.Log(s, time.Since(n)); n = time.Now() }
	first := newBench(t, inDir(dir))
	id := first.ok("POST", "/v1/videos", `{"model":"famA3","prompt":"x",`+small+`}`)["id"].(string)
	lap("create")
	first.clock.advance(time.Minute)
	m := first.ok("GET", "/v1/videos/"+id, "")
	lap("get")
	first.do("GET", pathOf(t, m["video_url"]), "")
	lap("video")
	id = first.ok("POST", "/v1/videos", `{"model":"famD-1-5-pro-251215","mode":"i2v","prompt":"x",` + small + `,"image_url":"` + pictureURI(t,32,32,color.White) + `"}`)["id"].(string)
	first.clock.advance(time.Minute)
	m = first.ok("GET", "/v1/videos/"+id, "")
	lap("get")
	first.do("GET", pathOf(t, m["video_url"]), "")
	lap("video")
}
